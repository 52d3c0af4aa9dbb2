package dev.semel.blackpipe.fault;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** The fields of one YAML mapping; errors name the line. */
final class YamlFields {
    private final String where;
    private final Node node;
    private final Map<String, Node> fields = new LinkedHashMap<>();

    private YamlFields(String where, Node node) {
        this.where = where;
        this.node = node;
    }

    /** {@code where} is the file, {@code what} is what the mapping describes. */
    static YamlFields of(String where, String what, Node node, Set<String> known) {
        YamlFields fields = any(where, what, node);
        for (NodeTuple each : ((MappingNode) node).getValue()) {
            String name = fields.scalar(each.getKeyNode(), "a name");
            if (!known.contains(name)) {
                throw fields.bad(
                        each.getKeyNode(),
                        "unknown field '%s' of %s; there are %s".formatted(name, what, String.join(", ", known)));
            }
        }
        return fields;
    }

    /** A mapping with arbitrary field names. */
    static YamlFields any(String where, String what, Node node) {
        YamlFields fields = new YamlFields(where, node);
        if (!(node instanceof MappingNode mapping)) {
            throw fields.bad(node, what + " must be fields with values, such as 'command: insert'");
        }
        for (NodeTuple each : mapping.getValue()) {
            String name = fields.scalar(each.getKeyNode(), "a name");
            if (fields.fields.put(name, each.getValueNode()) != null) {
                throw fields.bad(each.getKeyNode(), "'" + name + "' is given twice");
            }
        }
        return fields;
    }

    Map<String, Node> all() {
        return fields;
    }

    @Nullable
    Node get(String name) {
        return fields.get(name);
    }

    @Nullable
    String text(String name) {
        Node value = fields.get(name);
        return value == null ? null : scalar(value, "'" + name + "'");
    }

    int integer(String name, int min, int otherwise) {
        Node value = fields.get(name);
        return value == null ? otherwise : integer(where, value, name, min);
    }

    static int integer(String where, Node value, String name, int min) {
        String text = scalar(where, value, "'" + name + "'");
        try {
            int number = Integer.parseInt(text);
            if (number >= min) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, as of a number that is too small.
        }
        throw bad(where, value, "'%s' must be a whole number from %d on, not '%s'".formatted(name, min, text));
    }

    List<String> texts(String name) {
        Node value = fields.get(name);
        return switch (value) {
            case null -> List.of();
            case SequenceNode sequence ->
                sequence.getValue().stream()
                        .map(each -> scalar(each, "'" + name + "'"))
                        .toList();
            default -> List.of(scalar(value, "'" + name + "'"));
        };
    }

    private String scalar(Node value, String name) {
        return scalar(where, value, name);
    }

    private static String scalar(String where, Node value, String name) {
        if (value instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
            return scalar.getValue();
        }
        throw bad(where, value, name + " must be a single value");
    }

    BadPlan bad(String message) {
        return bad(node, message);
    }

    BadPlan bad(Node at, String message) {
        return bad(where, at, message);
    }

    static BadPlan bad(String where, Node at, String message) {
        return new BadPlan(where
                + at.getStartMark()
                        .map(mark -> ", line " + (mark.getLine() + 1))
                        .orElse("")
                + ": "
                + message);
    }
}
