package dev.semel.blackpipe.fault;

import dev.semel.blackpipe.message.FieldTest;
import dev.semel.blackpipe.message.Match;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Parses a plan: a YAML list of rules.
 *
 * <pre>{@code
 * - match: {command: update, namespace: shop.orders, nth: 2}
 *   phase: afterApply
 *   action: close
 * - match: {command: [insert, update], where: {txnNumber: {exists: true}}}
 *   action: {error: {code: 91, labels: [RetryableWriteError]}}
 * }</pre>
 */
public final class PlanText {
    private static final Set<String> RULE = ordered("match", "phase", "bytes", "action", "times");
    private static final Set<String> MATCH = ordered("command", "namespace", "nth", "connection", "appName", "where");

    private final String where;

    private PlanText(String where) {
        this.where = where;
    }

    /** {@code where} is the name of the text in error messages, usually its file. */
    public static List<Rule> parse(String text, String where) {
        return new PlanText(where).rules(text);
    }

    private List<Rule> rules(String text) {
        Node root = compose(text);
        if (root == null) {
            return List.of();
        }
        if (!(root instanceof SequenceNode list)) {
            throw YamlFields.bad(where, root, "a plan must be a list of rules, each beginning with '- match:'");
        }
        List<Rule> rules = new ArrayList<>();
        list.getValue().forEach(each -> rules.add(rule(each)));
        return rules;
    }

    private @Nullable Node compose(String text) {
        try {
            LoadSettings settings = LoadSettings.builder().setLabel(where).build();
            var parser = new ParserImpl(settings, new StreamReader(settings, text));
            return new Composer(settings, parser).getSingleNode().orElse(null);
        } catch (MarkedYamlEngineException e) {
            String line = e.getProblemMark()
                    .map(mark -> ", line " + (mark.getLine() + 1))
                    .orElse("");
            throw new BadPlan(where + line + ": not YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new BadPlan(where + ": not YAML: " + e.getMessage());
        }
    }

    private Rule rule(Node node) {
        YamlFields fields = YamlFields.of(where, "a rule", node, RULE);
        Node chosen = fields.get("match");
        YamlFields match = chosen == null ? null : YamlFields.of(where, "match", chosen, MATCH);
        Phase phase = phase(fields);
        int bytes = fields.integer("bytes", 0, -1);
        if (phase.cutsMessage() != (bytes >= 0)) {
            throw fields.bad("'bytes' is needed with the phases within and withinReply, and only there");
        }
        Node action = fields.get("action");
        if (action == null && phase != Phase.DUPLICATE) {
            throw fields.bad("a rule needs an 'action'");
        }
        if (action != null && phase == Phase.DUPLICATE) {
            throw fields.bad("phase duplicate is all that happens; it takes no 'action'");
        }
        Action done = action == null ? new Action.None() : new ActionText(where).parse(action);
        if (!done.goesWith(phase)) {
            throw fields.bad(Rule.misplaced(done, phase));
        }
        return new Rule(
                match == null ? Match.any() : match(match),
                match == null ? 1 : match.integer("nth", 1, 1),
                times(fields),
                phase,
                Math.max(0, bytes),
                done);
    }

    private Phase phase(YamlFields fields) {
        String text = fields.text("phase");
        if (text == null) {
            return Phase.BEFORE;
        }
        for (Phase each : Phase.values()) {
            if (each.label().equals(text)) {
                return each;
            }
        }
        throw fields.bad("unknown phase '%s'; there are %s"
                .formatted(text, Arrays.stream(Phase.values()).map(Phase::label).collect(Collectors.joining(", "))));
    }

    private static int times(YamlFields fields) {
        return "always".equals(fields.get("times") instanceof ScalarNode text ? text.getValue() : null)
                ? Rule.ALWAYS
                : fields.integer("times", 1, 1);
    }

    private Match match(YamlFields fields) {
        Match match = new Match(
                new LinkedHashSet<>(fields.texts("command")),
                fields.text("namespace"),
                fields.text("appName"),
                fields.integer("connection", 1, 0),
                List.of());
        Node tests = fields.get("where");
        if (tests == null) {
            return match;
        }
        for (var each : YamlFields.any(where, "where", tests).all().entrySet()) {
            match = match.with(test(each.getKey(), each.getValue()));
        }
        return match;
    }

    private FieldTest test(String path, Node node) {
        if (node instanceof MappingNode) {
            String expected = YamlFields.of(where, path, node, Set.of("exists")).text("exists");
            if (expected == null || !(expected.equals("true") || expected.equals("false"))) {
                throw YamlFields.bad(where, node, "'exists' of " + path + " must be true or false");
            }
            return new FieldTest.Exists(path, expected.equals("true"));
        }
        if (!(node instanceof ScalarNode scalar)) {
            throw YamlFields.bad(where, node, path + " must be a single value, or {exists: true}");
        }
        return new FieldTest.Equal(path, value(scalar));
    }

    private Value value(ScalarNode scalar) {
        String text = scalar.getValue();
        if (scalar.getTag().equals(Tag.INT)) {
            return Value.of(Long.parseLong(text));
        }
        if (scalar.getTag().equals(Tag.FLOAT)) {
            return Value.of(Double.parseDouble(text));
        }
        if (scalar.getTag().equals(Tag.BOOL)) {
            return Value.of(Boolean.parseBoolean(text));
        }
        return scalar.getTag().equals(Tag.NULL) ? Value.NULL : Value.of(text);
    }

    private static Set<String> ordered(String... names) {
        return new LinkedHashSet<>(List.of(names));
    }
}
