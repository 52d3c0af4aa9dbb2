package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.value.Collation;
import dev.semel.query.value.SortOrder;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * What one field of {@code $group} gathers.
 *
 * @param argument evaluated for every document
 * @param count how many values are wanted, for accumulators that take a number; evaluated once per group, where the
 *     fields are those of the group's {@code _id}
 * @param order by which documents are chosen, for accumulators that take one
 */
public record Gathering(
        String name,
        Expression argument,
        @Nullable Expression count,
        @Nullable SortOrder order,
        Factory factory) {

    /** Makes the state of a new group. */
    @FunctionalInterface
    interface Factory {
        Accumulator create(Start start);
    }

    /** What a new state may need to know; {@code count} is 1 where none was given, {@code id} the group's. */
    record Start(
            MemoryBudget budget,
            int count,
            @Nullable SortOrder order,
            Collation collation,
            Environment environment,
            Value id) {
        /** For an accumulator that always takes an order. */
        SortOrder requiredOrder() {
            if (order == null) {
                throw new IllegalStateException("an accumulator by order was parsed without one");
            }
            return order;
        }
    }

    static Gathering of(String name, Expression argument, Factory factory) {
        return new Gathering(name, argument, null, null, factory);
    }

    Accumulator start(MemoryBudget budget, Environment environment, Value id, Collation collation) {
        int wanted = count == null ? 1 : Counts.evaluate(count, environment, id);
        return factory.create(new Start(budget, wanted, order, collation, environment, id));
    }

    void collectFields(FieldSet into) {
        Expressions.collectFields(argument, into);
        if (order != null) {
            order.pattern().parts().forEach(part -> into.add(part.path().first()));
        }
    }
}
