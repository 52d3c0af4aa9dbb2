package dev.semel.cli.transfer;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The columns of a table as a document: dotted names make nested documents, a type may follow in brackets. */
public final class Columns {
    private static final Pattern TYPED = Pattern.compile("(.+)\\.(\\w+)\\(\\)");

    private final Branch root = new Branch(new LinkedHashMap<>());
    private final int count;
    private final boolean ignoreBlanks;

    private sealed interface Node {}

    private record Branch(Map<String, Node> children) implements Node {}

    private record Leaf(int column, FieldType type) implements Node {}

    /**
     * @param typed whether each name is followed by its type, as in {@code population.int64()}
     * @param ignoreBlanks whether an empty field is left out of its document
     * @throws IllegalArgumentException when the names make no document
     */
    public Columns(List<String> names, boolean typed, boolean ignoreBlanks) {
        this.count = names.size();
        this.ignoreBlanks = ignoreBlanks;
        for (int column = 0; column < names.size(); column++) {
            add(names.get(column).strip(), column, typed);
        }
    }

    private void add(String heading, int column, boolean typed) {
        var name = heading;
        var type = FieldType.AUTO;
        if (typed) {
            var matcher = TYPED.matcher(heading);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("column '" + heading + "' must end with its type, as in '" + heading
                        + ".string()'; types: " + String.join(", ", FieldType.labels()));
            }
            name = matcher.group(1);
            type = FieldType.named(matcher.group(2))
                    .orElseThrow(() -> new IllegalArgumentException("column '" + heading
                            + "' has an unknown type; types: " + String.join(", ", FieldType.labels())));
        }
        var parts = name.split("\\.", -1);
        var branch = root;
        for (int i = 0; i < parts.length - 1; i++) {
            var next = branch.children().computeIfAbsent(parts[i], part -> new Branch(new LinkedHashMap<>()));
            if (!(next instanceof Branch deeper)) {
                throw new IllegalArgumentException("column '" + name + "' is within another column");
            }
            branch = deeper;
        }
        var last = parts[parts.length - 1];
        if (last.isEmpty() || branch.children().put(last, new Leaf(column, type)) != null) {
            throw new IllegalArgumentException(
                    last.isEmpty()
                            ? "column " + (column + 1) + " has no name"
                            : "column '" + name + "' is there twice");
        }
    }

    RawDocument document(long line, List<String> fields) throws BadItem {
        if (fields.size() > count) {
            throw new BadItem(line, "has " + fields.size() + " fields, and there are " + count + " columns", false);
        }
        var writer = new BsonWriter();
        for (var entry : root.children().entrySet()) {
            write(writer, entry.getKey(), entry.getValue(), line, fields);
        }
        return writer.finish();
    }

    private void write(BsonWriter writer, String name, Node node, long line, List<String> fields) throws BadItem {
        switch (node) {
            case Leaf leaf -> {
                var text = field(leaf, fields);
                if (text != null) {
                    write(writer, name, leaf.type(), text, line);
                }
            }
            case Branch branch -> {
                if (hasContent(branch, fields)) {
                    writer.startDocument(name);
                    for (var entry : branch.children().entrySet()) {
                        write(writer, entry.getKey(), entry.getValue(), line, fields);
                    }
                    writer.end();
                }
            }
        }
    }

    private static void write(BsonWriter writer, String name, FieldType type, String text, long line) throws BadItem {
        try {
            type.write(writer, name, text);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new BadItem(line, "'" + text + "' in column '" + name + "' is no " + type.label(), false);
        }
    }

    private @Nullable String field(Leaf leaf, List<String> fields) {
        if (leaf.column() >= fields.size()) {
            return null;
        }
        var text = fields.get(leaf.column());
        return ignoreBlanks && text.isEmpty() ? null : text;
    }

    private boolean hasContent(Node node, List<String> fields) {
        return switch (node) {
            case Leaf leaf -> field(leaf, fields) != null;
            case Branch branch -> branch.children().values().stream().anyMatch(child -> hasContent(child, fields));
        };
    }
}
