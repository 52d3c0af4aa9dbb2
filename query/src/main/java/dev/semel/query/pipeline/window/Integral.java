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

/** {@code $integral}: the area below the points of the window, by the trapezoidal rule. */
public final class Integral implements Aggregate<Integral.Point> {
    private static final int POINT_BYTES = 64;

    /** A position, which is a number or a date, and a number. */
    record Point(Value position, Value value) {
        boolean isNaN() {
            return Numbers.isNaN(position) || Numbers.isNaN(value);
        }
    }

    private final Expression position;
    private final Expression input;
    private final @Nullable TimeUnit unit;
    private final Partition partition;
    private final RemovableSum area = new RemovableSum();
    private @Nullable Point last;
    private long nans;

    private Integral(Expression position, Expression input, @Nullable TimeUnit unit, Partition partition) {
        this.position = position;
        this.input = input;
        this.unit = unit;
        this.partition = partition;
    }

    /**
     * The area below the points of each window.
     *
     * @param position the field that the documents are sorted by
     * @param unit in which time is measured, if the positions are dates
     */
    public static WindowFunction of(Expression position, Expression input, @Nullable TimeUnit unit, Window window) {
        return partition -> new Framed<>(partition, window, new Integral(position, input, unit, partition));
    }

    @Override
    public Point take(RawDocument document) {
        Value at = Expressions.evaluate(position, partition.environment(), document);
        Value value = Expressions.evaluate(input, partition.environment(), document);
        boolean isDate = at instanceof Value.Date;
        if (at == null || value == null || !(isDate || Numbers.isNumber(at)) || !Numbers.isNumber(value)) {
            throw wrong(
                    5423900,
                    "The input value of $integral window function must be a vector of 2 value, the first value must be"
                            + " numeric or date type and the second must be numeric.");
        }
        if (unit != null && !isDate) {
            throw wrong(5423901, "$integral with 'outputUnit' expects the sortBy field to be a Date");
        }
        if (unit == null && isDate) {
            throw wrong(5423902, "$integral (with no 'outputUnit') expects the sortBy field to be numeric");
        }
        return new Point(Held.copy(at), Held.copy(value));
    }

    private static CommandException wrong(int code, String message) {
        return new CommandException(ErrorCode.location(code), message);
    }

    @Override
    public long bytes(Point point) {
        return POINT_BYTES;
    }

    @Override
    public void add(Point point) {
        nans += point.isNaN() ? 1 : 0;
        if (last != null) {
            area.add(between(last, point));
        }
        last = point;
    }

    @Override
    public void remove(Point oldest, @Nullable Point next) {
        nans -= oldest.isNaN() ? 1 : 0;
        if (next == null) {
            last = null;
        } else {
            area.remove(between(oldest, next));
        }
    }

    private static Value between(Point a, Point b) {
        if (a.isNaN() || b.isNaN()) {
            return Value.of(0);
        }
        Value width = Arithmetic.difference(b.position(), a.position());
        Value heights = Arithmetic.sum(b.value(), a.value());
        return Arithmetic.quotient(Arithmetic.product(heights, width), Value.of(2.0));
    }

    @Override
    public Value result() {
        if (last == null) {
            return Value.NULL;
        }
        if (nans > 0) {
            return Value.of(Double.NaN);
        }
        Value total = area.total();
        return unit == null ? total : Arithmetic.quotient(total, Value.of(unit.typicalMillis()));
    }
}
