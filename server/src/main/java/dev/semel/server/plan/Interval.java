package dev.semel.server.plan;

import dev.semel.query.value.Collation;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.HexFormat;

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

    boolean isFree() {
        return (Collation.isFree(low) || (lowInclusive && isLeastText(low)))
                && (Collation.isFree(high) || (!highInclusive && isLeastText(high)));
    }

    /** The bound below all texts; as a text itself it has a key that is greater. */
    private static boolean isLeastText(Value value) {
        return value instanceof Value.Str(Text text) && text.isEmpty();
    }

    /** As {@code explain} shows it: {@code [1, 5)}, from end to beginning where the scan goes that way. */
    String text(boolean ascending, Collation collation) {
        String from = text(ascending ? low : high, collation);
        String to = text(ascending ? high : low, collation);
        boolean fromInclusive = ascending ? lowInclusive : highInclusive;
        boolean toInclusive = ascending ? highInclusive : lowInclusive;
        return (fromInclusive ? "[" : "(") + from + ", " + to + (toInclusive ? "]" : ")");
    }

    /** The key of a text is no text. */
    private static String text(Value value, Collation collation) {
        return !collation.isSimple() && value instanceof Value.Str(Text text) && !text.isEmpty()
                ? "CollationKey(0x" + HexFormat.of().formatHex(text.toBytes()) + ")"
                : Shell.text(value);
    }
}
