package dev.semel.server.plan;

import dev.semel.query.value.ValueOrder;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;

/** The values between two values, in BSON's order over all types. */
public record Interval(Value low, boolean lowInclusive, Value high, boolean highInclusive) {
    static final Interval ALL = closed(Value.MIN_KEY, Value.MAX_KEY);

    static Interval point(Value value) {
        return closed(value, value);
    }

    static Interval closed(Value low, Value high) {
        return new Interval(low, true, high, true);
    }

    boolean isEmpty() {
        int order = ValueOrder.compare(low, high);
        return order > 0 || (order == 0 && !(lowInclusive && highInclusive));
    }

    boolean isPoint() {
        return lowInclusive && highInclusive && ValueOrder.compare(low, high) == 0;
    }

    boolean isAll() {
        return low.equals(Value.MIN_KEY) && high.equals(Value.MAX_KEY) && lowInclusive && highInclusive;
    }

    Interval intersect(Interval other) {
        int byLow = compareLow(other);
        int byHigh = compareHigh(other);
        return new Interval(
                byLow >= 0 ? low : other.low,
                byLow >= 0 ? lowInclusive : other.lowInclusive,
                byHigh <= 0 ? high : other.high,
                byHigh <= 0 ? highInclusive : other.highInclusive);
    }

    /** Negative if this one begins earlier. */
    int compareLow(Interval other) {
        int order = ValueOrder.compare(low, other.low);
        return order != 0 ? order : -Boolean.compare(lowInclusive, other.lowInclusive);
    }

    /** Negative if this one ends earlier. */
    int compareHigh(Interval other) {
        int order = ValueOrder.compare(high, other.high);
        return order != 0 ? order : Boolean.compare(highInclusive, other.highInclusive);
    }

    /** Whether no value lies between the end of this one and the beginning of the other, which does not begin earlier. */
    boolean reaches(Interval other) {
        int order = ValueOrder.compare(high, other.low);
        return order > 0 || (order == 0 && (highInclusive || other.lowInclusive));
    }

    /** As {@code explain} shows it: {@code [1, 5)}, from end to beginning where the scan goes that way. */
    String text(boolean ascending) {
        String from = Shell.text(ascending ? low : high);
        String to = Shell.text(ascending ? high : low);
        boolean fromInclusive = ascending ? lowInclusive : highInclusive;
        boolean toInclusive = ascending ? highInclusive : lowInclusive;
        return (fromInclusive ? "[" : "(") + from + ", " + to + (toInclusive ? "]" : ")");
    }
}
