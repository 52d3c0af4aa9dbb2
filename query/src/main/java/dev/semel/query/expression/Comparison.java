package dev.semel.query.expression;

import dev.semel.query.value.Collation;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** {@code $eq $ne $gt $gte $lt $lte $cmp}: by BSON's order over all types, where missing is less than null. */
final class Comparison {
    private Comparison() {}

    static Value eq(@Nullable Value[] arguments, Collation collation) {
        return Value.of(compare(arguments, collation) == 0);
    }

    static Value ne(@Nullable Value[] arguments, Collation collation) {
        return Value.of(compare(arguments, collation) != 0);
    }

    static Value gt(@Nullable Value[] arguments, Collation collation) {
        return Value.of(compare(arguments, collation) > 0);
    }

    static Value gte(@Nullable Value[] arguments, Collation collation) {
        return Value.of(compare(arguments, collation) >= 0);
    }

    static Value lt(@Nullable Value[] arguments, Collation collation) {
        return Value.of(compare(arguments, collation) < 0);
    }

    static Value lte(@Nullable Value[] arguments, Collation collation) {
        return Value.of(compare(arguments, collation) <= 0);
    }

    static Value cmp(@Nullable Value[] arguments, Collation collation) {
        return Value.of(Integer.signum(compare(arguments, collation)));
    }

    static Value not(@Nullable Value[] arguments) {
        return Value.of(!Types.isTrue(arguments[0]));
    }

    private static int compare(@Nullable Value[] arguments, Collation collation) {
        return collation.compare(arguments[0], arguments[1]);
    }
}
