package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Arithmetic;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.TimeUnit;
import dev.semel.query.value.Held;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** {@code $derivative}: the slope between the first and the last document of the window. */
public final class Derivative implements WindowFunction.Run {
    private final Expression position;
    private final Expression input;
    private final @Nullable TimeUnit unit;
    private final Partition partition;
    private final Frame frame;
    private final boolean growing;

    /** In a growing window the first point never changes. */
    private @Nullable Point first;

    private record Point(@Nullable Value position, @Nullable Value value) {}

    private Derivative(
            Expression position, Expression input, @Nullable TimeUnit unit, Window window, Partition partition) {
        this.position = position;
        this.input = input;
        this.unit = unit;
        this.partition = partition;
        this.frame = window.frame(partition);
        this.growing = window.isGrowing();
    }

    /**
     * The slope from the first to the last point of each window.
     *
     * @param position the field that the documents are sorted by
     * @param unit in which time is measured, if the positions are dates
     */
    public static WindowFunction of(Expression position, Expression input, @Nullable TimeUnit unit, Window window) {
        return partition -> new Derivative(position, input, unit, window, partition);
    }

    @Override
    public Value value(long current) {
        frame.moveTo(current);
        if (frame.isEmpty()) {
            return Value.NULL;
        }
        Point from = first == null || !growing ? point(frame.first()) : first;
        first = from;
        Point to = point(frame.last());
        check(from.position(), to.position());
        Value run = Arithmetic.difference(to.position(), from.position());
        Value rise = Arithmetic.difference(to.value(), from.value());
        if (Held.isNullish(rise)) {
            throw wrong(5624903, "$derivative input must not be null or missing");
        }
        if (Numbers.isZero(run)) {
            return Value.NULL;
        }
        Value slope = Arithmetic.quotient(rise, run);
        return unit == null ? slope : Arithmetic.product(slope, Value.of(unit.typicalMillis()));
    }

    private Point point(long number) {
        RawDocument document = partition.document(number);
        Value at = Expressions.evaluate(position, partition.environment(), document);
        Value value = Expressions.evaluate(input, partition.environment(), document);
        return new Point(at == null ? null : Held.copy(at), value == null ? null : Held.copy(value));
    }

    private void check(@Nullable Value from, @Nullable Value to) {
        if (unit != null) {
            if (!(from instanceof Value.Date) || !(to instanceof Value.Date)) {
                throw wrong(5624900, "$derivative with 'unit' expects the sortBy field to be a Date");
            }
            return;
        }
        if (from instanceof Value.Date || to instanceof Value.Date) {
            throw wrong(5624901, "$derivative where the sortBy is a Date requires an 'unit'");
        }
        if (!Numbers.isNumber(from) || !Numbers.isNumber(to)) {
            throw wrong(5624902, "$derivative (with no 'unit') expects the sortBy field to be numeric");
        }
    }

    private static CommandException wrong(int code, String message) {
        return new CommandException(ErrorCode.location(code), message);
    }

    @Override
    public long needed() {
        long from = growing && first != null ? Long.MAX_VALUE : frame.first();
        return Math.min(Math.min(from, Math.max(0, frame.last())), frame.needed());
    }
}
