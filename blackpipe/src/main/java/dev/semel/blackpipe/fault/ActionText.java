package dev.semel.blackpipe.fault;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Parses an action: a word, {@code close}, or a word with a value, {@code {delay: 200ms}}. */
final class ActionText {
    private static final Set<String> ACTIONS = new LinkedHashSet<>(List.of(
            "close",
            "reset",
            "stall",
            "delay",
            "meet",
            "drip",
            "duplicate",
            "stale",
            "reorder",
            "error",
            "outage",
            "blackhole",
            "badhandshake",
            "badcertificate",
            "stepdown"));
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9}) ?(ms|s|m)?");

    private static final String MESSAGE = "injected by the plan";

    /** The default duration. */
    private static final long STEP_DOWN_MS = 10_000;

    private final String where;

    ActionText(String where) {
        this.where = where;
    }

    Action parse(Node node) {
        if (node instanceof ScalarNode word) {
            return switch (word.getValue()) {
                case "close" -> new Action.Close();
                case "reset" -> new Action.Reset();
                case "stall" -> new Action.Stall(Action.FOREVER);
                case "outage" -> new Action.Outage(Action.FOREVER);
                case "blackhole" -> new Action.BlackHole(Action.FOREVER);
                case "badhandshake" -> new Action.BadHandshake(Action.FOREVER);
                case "badcertificate" -> new Action.BadCertificate(Action.FOREVER);
                case "stepdown" -> new Action.StepDown(STEP_DOWN_MS);
                case "duplicate" -> new Action.DuplicateReply();
                case "stale" -> new Action.StaleReply();
                case "reorder" -> new Action.Reorder(Action.FOREVER);
                case "drip" -> throw YamlFields.bad(where, node, "'drip' needs a time between two bytes: {drip: 50ms}");
                case "meet" -> throw YamlFields.bad(where, node, "'meet' needs a time: {meet: 2s}");
                case "delay" -> throw YamlFields.bad(where, node, "'delay' needs a time: {delay: 200ms}");
                case "error" -> throw YamlFields.bad(where, node, "'error' needs a code: {error: 91}");
                default ->
                    throw YamlFields.bad(
                            where,
                            node,
                            "unknown action '%s'; there are %s".formatted(word.getValue(), String.join(", ", ACTIONS)));
            };
        }
        Map<String, Node> fields = YamlFields.of(where, "action", node, ACTIONS).all();
        if (fields.size() != 1) {
            throw YamlFields.bad(where, node, "an action is one of " + String.join(", ", ACTIONS));
        }
        Map.Entry<String, Node> only = fields.entrySet().iterator().next();
        Node value = only.getValue();
        return switch (only.getKey()) {
            case "stall" -> new Action.Stall(time(value));
            case "delay" -> new Action.Delay(time(value));
            case "meet" -> new Action.Meet(new Rendezvous(), time(value));
            case "drip" -> drip(value);
            case "reorder" -> new Action.Reorder(time(value));
            case "outage" -> new Action.Outage(time(value));
            case "blackhole" -> new Action.BlackHole(time(value));
            case "badhandshake" -> new Action.BadHandshake(time(value));
            case "badcertificate" -> new Action.BadCertificate(time(value));
            case "stepdown" -> new Action.StepDown(time(value));
            case "error" -> error(value);
            default -> throw YamlFields.bad(where, node, "'" + only.getKey() + "' takes no value");
        };
    }

    private Action error(Node node) {
        if (node instanceof ScalarNode code) {
            return new Action.ErrorReply(YamlFields.integer(where, code, "error", 1), MESSAGE, List.of());
        }
        YamlFields fields =
                YamlFields.of(where, "error", node, new LinkedHashSet<>(List.of("code", "message", "labels")));
        if (fields.get("code") == null) {
            throw fields.bad("an error needs a 'code'");
        }
        String message = fields.text("message");
        return new Action.ErrorReply(
                fields.integer("code", 1, 0), message == null ? MESSAGE : message, fields.texts("labels"));
    }

    private Action drip(Node node) {
        if (node instanceof ScalarNode) {
            return new Action.Drip(1, time(node));
        }
        YamlFields fields = YamlFields.of(where, "drip", node, new LinkedHashSet<>(List.of("bytes", "every")));
        Node every = fields.get("every");
        if (every == null) {
            throw fields.bad("'drip' needs the time between two pieces, 'every'");
        }
        return new Action.Drip(fields.integer("bytes", 1, 1), time(every));
    }

    private long time(Node node) {
        String text = node instanceof ScalarNode scalar ? scalar.getValue() : "";
        if (text.equals("forever")) {
            return Action.FOREVER;
        }
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw YamlFields.bad(where, node, "a time must be like 200ms, 2s, 1m or forever, not '" + text + "'");
        }
        long number = Long.parseLong(time.group(1));
        String unit = time.group(2);
        return switch (unit == null ? "ms" : unit) {
            case "s" -> number * 1_000;
            case "m" -> number * 60_000;
            default -> number;
        };
    }
}
