package dev.semel.server.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What an accumulator makes of the documents of a group or a window, in their order. */
record Accumulators(Expressions expressions) {
    BsonValue of(BsonDocument call, List<BsonDocument> documents) {
        String name = call.getFirstKey();
        List<@Nullable BsonValue> values = new ArrayList<>();
        documents.forEach(each -> values.add(expressions.evaluate(Fields.of(call, name), each)));
        List<BsonValue> present = values.stream().filter(Objects::nonNull).toList();
        List<BsonValue> numbers = present.stream().filter(Arithmetic::isNumber).toList();
        return switch (name) {
            case "$sum" -> sum(numbers);
            case "$count" -> new BsonInt32(documents.size());
            case "$avg" -> average(numbers);
            case "$min" ->
                present.stream()
                        .filter(each -> !each.isNull())
                        .min(expressions.order())
                        .orElse(BsonNull.VALUE);
            case "$max" ->
                firstOf(present.stream().filter(each -> !each.isNull()).toList());
            case "$first" -> values.isEmpty() ? BsonNull.VALUE : Expressions.orNull(values.getFirst());
            case "$last" -> values.isEmpty() ? BsonNull.VALUE : Expressions.orNull(values.getLast());
            case "$push" -> new BsonArray(present);
            case "$addToSet" -> distinct(present);
            default -> throw new AssertionError(name);
        };
    }

    /** The first of the greatest. */
    private BsonValue firstOf(List<BsonValue> values) {
        BsonValue greatest = null;
        for (BsonValue each : values) {
            if (greatest == null || expressions.order().compare(each, greatest) > 0) {
                greatest = each;
            }
        }
        return Expressions.orNull(greatest);
    }

    private static BsonValue sum(List<BsonValue> numbers) {
        BsonValue sum = new BsonInt32(0);
        for (BsonValue each : numbers) {
            sum = Arithmetic.ADD.of(sum, each, true);
        }
        return sum;
    }

    private static BsonValue average(List<BsonValue> numbers) {
        if (numbers.isEmpty()) {
            return BsonNull.VALUE;
        }
        BsonNumber sum = (BsonNumber) sum(numbers);
        if (Order.isNaN(sum)) {
            return sum;
        }
        return sum.getBsonType() == BsonType.DECIMAL128
                ? Arithmetic.decimal(Order.exact(sum)
                        .divide(new java.math.BigDecimal(numbers.size()), java.math.MathContext.DECIMAL128))
                : new BsonDouble(sum.doubleValue() / numbers.size());
    }

    private BsonArray distinct(List<BsonValue> values) {
        BsonArray distinct = new BsonArray();
        for (BsonValue each : values) {
            if (distinct.stream().noneMatch(other -> expressions.order().equal(other, each))) {
                distinct.add(each);
            }
        }
        return distinct;
    }
}
