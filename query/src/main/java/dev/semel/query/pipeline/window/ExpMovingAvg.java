package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** {@code $expMovingAvg}: an average in which earlier numbers count less and less; computed with decimals, as MongoDB does. */
public final class ExpMovingAvg implements WindowFunction.Run {
    private final Expression input;
    private final Value weight;
    private final Value rest;
    private final Partition partition;
    private @Nullable Value average;
    private boolean hasDecimal;

    private ExpMovingAvg(Expression input, Decimal128 alpha, Partition partition) {
        this.input = input;
        this.weight = new Value.Decimal(alpha);
        this.rest = Numbers.subtract(Value.of(1), weight);
        this.partition = partition;
    }

    /** With how much the current number counts, between 0 and 1. */
    public static WindowFunction of(Expression input, Decimal128 alpha) {
        return partition -> new ExpMovingAvg(input, alpha, partition);
    }

    @Override
    public Value value(long current) {
        Value value = Expressions.evaluate(input, partition.environment(), partition.document(current));
        if (value != null && Numbers.isNumber(value)) {
            hasDecimal |= value instanceof Value.Decimal;
            Value number = new Value.Decimal(Numbers.decimal(value));
            average = average == null
                    ? number
                    : Numbers.add(Numbers.multiply(number, weight), Numbers.multiply(average, rest));
        }
        if (average == null) {
            return Value.NULL;
        }
        return hasDecimal ? average : Value.of(Numbers.doubleOf(average));
    }

    @Override
    public long needed() {
        return Long.MAX_VALUE;
    }
}
