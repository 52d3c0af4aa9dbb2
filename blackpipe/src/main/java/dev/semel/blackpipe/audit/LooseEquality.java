package dev.semel.blackpipe.audit;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** Values as a check compares them: numbers by value, the fields of documents in any order. */
final class LooseEquality {
    private LooseEquality() {}

    static boolean same(@Nullable Value a, @Nullable Value b) {
        if (a == null || b == null) {
            return a == b;
        }
        Double number = number(a);
        if (number != null) {
            return number.equals(number(b));
        }
        return switch (a) {
            case Value.Doc(RawDocument left) when b instanceof Value.Doc(RawDocument right) -> sameFields(left, right);
            case Value.Array(RawDocument left)
            when b instanceof Value.Array(RawDocument right) -> sameFields(left, right);
            default -> a.equals(b);
        };
    }

    private static boolean sameFields(RawDocument left, RawDocument right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (var each : left) {
            if (!same(each.value(), right.get(each.name()))) {
                return false;
            }
        }
        return true;
    }

    /** The amount: numbers added up, one for each element of an array; strings and ids have none. */
    static double amount(Value value) {
        Double number = number(value);
        if (number != null) {
            return number;
        }
        double sum = 0;
        if (value instanceof Value.Doc(RawDocument document)) {
            for (var each : document) {
                sum += each.name().equals("_id") ? 0 : amount(each.value());
            }
        } else if (value instanceof Value.Array(RawDocument elements)) {
            for (var each : elements) {
                sum += 1 + amount(each.value());
            }
        }
        return sum;
    }

    private static @Nullable Double number(Value value) {
        return switch (value) {
            case Value.Int32(int number) -> (double) number;
            case Value.Int64(long number) -> (double) number;
            case Value.Double64(double number) -> number;
            default -> null;
        };
    }
}
