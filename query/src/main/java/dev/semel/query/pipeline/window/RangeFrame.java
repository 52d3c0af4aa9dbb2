package dev.semel.query.pipeline.window;

import dev.semel.query.expression.TimeUnit;
import dev.semel.query.value.Numbers;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** A window of the documents whose position, a number or a date, is within a distance of the current document's. */
final class RangeFrame implements Frame {
    private final Bound lower;
    private final Bound upper;
    private final @Nullable TimeUnit unit;
    private final Partition partition;
    private long first;
    private long last = -1;

    RangeFrame(Window.Range window, Partition partition) {
        this.lower = window.lower();
        this.upper = window.upper();
        this.unit = window.unit();
        this.partition = partition;
    }

    @Override
    public void moveTo(long current) {
        Value base = base(partition.position(current));
        switch (lower) {
            case Bound.Unbounded() -> {}
            // The document itself, not those with the same position.
            case Bound.Current() -> first = current;
            case Bound.Offset(Value distance) -> {
                Value threshold = plus(base, distance);
                while (partition.has(first) && ValueOrder.compare(partition.position(first), threshold) < 0) {
                    first++;
                }
            }
        }
        switch (upper) {
            case Bound.Current() -> last = current;
            case Bound.Unbounded() -> {
                last = Math.max(last, current);
                while (partition.has(last + 1) && isPosition(partition.position(last + 1))) {
                    last++;
                }
            }
            case Bound.Offset(Value distance) -> {
                Value threshold = plus(base, distance);
                while (partition.has(last + 1) && ValueOrder.compare(partition.position(last + 1), threshold) <= 0) {
                    last++;
                }
            }
        }
    }

    private Value base(@Nullable Value position) {
        String type = position == null ? "missing" : position.type().alias();
        if (unit != null) {
            check(
                    position instanceof Value.Date,
                    5429513,
                    "Invalid range: Expected the sortBy field to be a Date, but it was %s",
                    type);
        } else {
            check(
                    !(position instanceof Value.Date),
                    5429413,
                    "Invalid range: For windows that involve date or time ranges, a unit must be provided.");
            check(
                    Numbers.isNumber(position),
                    5429414,
                    "Invalid range: Expected the sortBy field to be a number, but it was %s",
                    type);
        }
        return position == null ? Value.NULL : position;
    }

    private static void check(boolean holds, int code, String message, Object... arguments) {
        if (!holds) {
            throw new CommandException(ErrorCode.location(code), message, arguments);
        }
    }

    private boolean isPosition(@Nullable Value value) {
        return unit != null ? value instanceof Value.Date : Numbers.isNumber(value);
    }

    private Value plus(Value base, Value distance) {
        if (unit != null && base instanceof Value.Date(long millis)) {
            return new Value.Date(unit.plus(millis, Numbers.saturatedLong(distance)));
        }
        Value sum = isWhole(base) && isWhole(distance) ? Numbers.addExact(base, distance) : null;
        // As decimals, in which 0.1 and 0.2 are 0.3.
        return sum != null
                ? sum
                : Numbers.add(new Value.Decimal(Numbers.decimal(base)), new Value.Decimal(Numbers.decimal(distance)));
    }

    private static boolean isWhole(Value number) {
        return number instanceof Value.Int32 || number instanceof Value.Int64;
    }

    @Override
    public long first() {
        return first;
    }

    @Override
    public long last() {
        return last;
    }

    @Override
    public long needed() {
        long next = upper instanceof Bound.Current ? Long.MAX_VALUE : last + 1;
        return lower instanceof Bound.Offset ? Math.min(first, next) : next;
    }
}
