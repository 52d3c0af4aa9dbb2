package dev.semel.query.expression;

import dev.semel.query.value.Collation;
import dev.semel.wire.bson.Value;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@code $sum $avg $min $max $stdDevPop $stdDevSamp} outside of {@code $group}: over the arguments, or one array. */
final class Totals {
    private Totals() {}

    private static void each(@Nullable Value[] arguments, Consumer<@Nullable Value> consumer) {
        if (arguments.length == 1 && arguments[0] instanceof Value.Array(var elements)) {
            for (var at = elements.cursor(); at.next(); ) {
                consumer.accept(at.value());
            }
            return;
        }
        for (Value argument : arguments) {
            consumer.accept(argument);
        }
    }

    static Value sum(@Nullable Value[] arguments) {
        Sum sum = new Sum();
        each(arguments, sum::add);
        return sum.total();
    }

    static Value average(@Nullable Value[] arguments) {
        Sum sum = new Sum();
        each(arguments, sum::add);
        return sum.average();
    }

    static Value min(@Nullable Value[] arguments, Collation collation) {
        return extreme(arguments, -1, collation);
    }

    static Value max(@Nullable Value[] arguments, Collation collation) {
        return extreme(arguments, 1, collation);
    }

    private static Value extreme(@Nullable Value[] arguments, int direction, Collation collation) {
        Value[] best = {Value.NULL};
        each(arguments, value -> {
            if (value == null || Types.isNullish(value)) {
                return;
            }
            if (Types.isNullish(best[0]) || collation.compare(value, best[0]) * direction > 0) {
                best[0] = value;
            }
        });
        return best[0];
    }

    static Value stdDevPop(@Nullable Value[] arguments) {
        Deviation deviation = new Deviation();
        each(arguments, deviation::add);
        return deviation.ofPopulation();
    }

    static Value stdDevSamp(@Nullable Value[] arguments) {
        Deviation deviation = new Deviation();
        each(arguments, deviation::add);
        return deviation.ofSample();
    }
}
