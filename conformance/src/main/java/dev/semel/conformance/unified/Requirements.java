package dev.semel.conformance.unified;

import dev.semel.conformance.subject.Subject;
import dev.semel.conformance.subject.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Whether a case is meant for the server at hand. */
final class Requirements {
    private Requirements() {}

    /** Why not, or null if it is: one of the alternatives has to be met. */
    static @Nullable String unmet(BsonDocument content, Subject subject) {
        BsonArray alternatives = content.getArray("runOnRequirements", new BsonArray());
        List<String> reasons = new ArrayList<>();
        for (BsonValue each : alternatives) {
            String reason = unmetAlternative(each.asDocument(), subject);
            if (reason == null) {
                return null;
            }
            reasons.add(reason);
        }
        return reasons.isEmpty()
                ? null
                : String.join("; or ", reasons.stream().distinct().sorted().toList());
    }

    private static @Nullable String unmetAlternative(BsonDocument requirement, Subject subject) {
        for (Map.Entry<String, BsonValue> each : requirement.entrySet()) {
            BsonValue value = each.getValue();
            String unmet = switch (each.getKey()) {
                case "minServerVersion" ->
                    compare(subject.version(), value) < 0
                            ? "needs a server of version " + text(value) + " or later"
                            : null;
                case "maxServerVersion" ->
                    compare(subject.version(), value) > 0 ? "needs a server before version " + text(value) : null;
                case "topologies" ->
                    value.asArray().contains(new BsonString(subject.topology().label()))
                            ? null
                            : "needs " + topologies(value.asArray());
                case "auth" -> accessControl(value.asBoolean().getValue(), subject.topology());
                case "authMechanism" -> "needs " + text(value);
                case "csfle" ->
                    value.isBoolean() && !value.asBoolean().getValue() ? null : "needs client-side encryption";
                case "serverless" -> text(value).equals("require") ? "needs a hosted service" : null;
                case "serverParameters" -> parameters(value.asDocument(), subject);
                default -> throw new IllegalStateException("unknown requirement '" + each.getKey() + "'");
            };
            if (unmet != null) {
                return unmet;
            }
        }
        return null;
    }

    private static @Nullable String accessControl(boolean wanted, Topology topology) {
        if (wanted == topology.hasAccessControl()) {
            return null;
        }
        return wanted ? "needs access control" : "needs a server without access control";
    }

    private static String topologies(BsonArray names) {
        return String.join(
                " or ", names.stream().map(Requirements::text).sorted().toList());
    }

    private static @Nullable String parameters(BsonDocument wanted, Subject subject) {
        for (Map.Entry<String, BsonValue> each : wanted.entrySet()) {
            BsonValue actual = subject.parameters().get(each.getKey());
            if (actual == null || !isSame(each.getValue(), actual)) {
                return "needs the server parameter " + each.getKey() + " to be " + each.getValue();
            }
        }
        return null;
    }

    /** Truth is also a number other than 0. */
    private static boolean isSame(BsonValue wanted, BsonValue actual) {
        if (wanted.isBoolean() && actual.isNumber()) {
            return wanted.asBoolean().getValue() == (actual.asNumber().intValue() != 0);
        }
        return ValueMatcher.isEqual(wanted, actual);
    }

    private static String text(BsonValue value) {
        return value.asString().getValue();
    }

    /** Parts that the requirement does not name are equal to anything. */
    private static int compare(int[] actual, BsonValue wanted) {
        String[] parts = text(wanted).split("\\.", -1);
        for (int i = 0; i < Math.min(parts.length, actual.length); i++) {
            int order = Integer.compare(actual[i], Integer.parseInt(parts[i]));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
