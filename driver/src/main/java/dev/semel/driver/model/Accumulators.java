package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Accumulators of {@code $group} and similar stages. */
public final class Accumulators {
    private Accumulators() {}

    public static BsonField sum(String field, Object expression) {
        return accumulator(field, "$sum", expression);
    }

    public static BsonField avg(String field, Object expression) {
        return accumulator(field, "$avg", expression);
    }

    /** At several quantiles between 0 and 1, given as an array. */
    public static BsonField percentile(String field, Object input, Object percentages, QuantileMethod method) {
        return accumulator(
                field,
                "$percentile",
                Parts.of("input", input).with("method", method.toBsonValue()).with("p", percentages));
    }

    public static BsonField median(String field, Object input, QuantileMethod method) {
        return accumulator(field, "$median", Parts.of("input", input).with("method", method.toBsonValue()));
    }

    public static BsonField first(String field, Object expression) {
        return accumulator(field, "$first", expression);
    }

    public static BsonField firstN(String field, Object expression, Object number) {
        return several(field, "$firstN", expression, number);
    }

    public static BsonField top(String field, Bson sort, Object output) {
        return accumulator(field, "$top", sorted(sort, output));
    }

    public static BsonField topN(String field, Bson sort, Object output, Object number) {
        return accumulator(field, "$topN", sorted(sort, output).with("n", number));
    }

    public static BsonField last(String field, Object expression) {
        return accumulator(field, "$last", expression);
    }

    public static BsonField lastN(String field, Object expression, Object number) {
        return several(field, "$lastN", expression, number);
    }

    public static BsonField bottom(String field, Bson sort, Object output) {
        return accumulator(field, "$bottom", sorted(sort, output));
    }

    public static BsonField bottomN(String field, Bson sort, Object output, Object number) {
        return accumulator(field, "$bottomN", sorted(sort, output).with("n", number));
    }

    public static BsonField max(String field, Object expression) {
        return accumulator(field, "$max", expression);
    }

    public static BsonField maxN(String field, Object expression, Object number) {
        return several(field, "$maxN", expression, number);
    }

    public static BsonField min(String field, Object expression) {
        return accumulator(field, "$min", expression);
    }

    public static BsonField minN(String field, Object expression, Object number) {
        return several(field, "$minN", expression, number);
    }

    public static BsonField push(String field, Object expression) {
        return accumulator(field, "$push", expression);
    }

    public static BsonField addToSet(String field, Object expression) {
        return accumulator(field, "$addToSet", expression);
    }

    public static BsonField mergeObjects(String field, Object expression) {
        return accumulator(field, "$mergeObjects", expression);
    }

    public static BsonField stdDevPop(String field, Object expression) {
        return accumulator(field, "$stdDevPop", expression);
    }

    public static BsonField stdDevSamp(String field, Object expression) {
        return accumulator(field, "$stdDevSamp", expression);
    }

    /** With JavaScript functions, if the server supports them. */
    public static BsonField accumulator(
            String field, String initFunction, String accumulateFunction, String mergeFunction) {
        return accumulator(field, initFunction, accumulateFunction, mergeFunction, null);
    }

    public static BsonField accumulator(
            String field,
            String initFunction,
            String accumulateFunction,
            String mergeFunction,
            @Nullable String finalizeFunction) {
        return accumulator(field, initFunction, accumulateFunction, mergeFunction, finalizeFunction, "js");
    }

    public static BsonField accumulator(
            String field,
            String initFunction,
            String accumulateFunction,
            String mergeFunction,
            @Nullable String finalizeFunction,
            String language) {
        return accumulator(
                field, initFunction, null, accumulateFunction, null, mergeFunction, finalizeFunction, language);
    }

    public static BsonField accumulator(
            String field,
            String initFunction,
            @Nullable List<String> initArguments,
            String accumulateFunction,
            @Nullable List<String> accumulateArguments,
            String mergeFunction,
            @Nullable String finalizeFunction) {
        return accumulator(
                field,
                initFunction,
                initArguments,
                accumulateFunction,
                accumulateArguments,
                mergeFunction,
                finalizeFunction,
                "js");
    }

    public static BsonField accumulator(
            String field,
            String initFunction,
            @Nullable List<String> initArguments,
            String accumulateFunction,
            @Nullable List<String> accumulateArguments,
            String mergeFunction,
            @Nullable String finalizeFunction,
            String language) {
        return accumulator(
                field,
                "$accumulator",
                Parts.of("init", initFunction)
                        .with("initArgs", initArguments == null ? List.of() : initArguments)
                        .with("accumulate", accumulateFunction)
                        .with("accumulateArgs", accumulateArguments == null ? List.of() : accumulateArguments)
                        .with("merge", mergeFunction)
                        .with("lang", language)
                        .withIfSet("finalize", finalizeFunction));
    }

    private static BsonField several(String field, String operator, Object expression, Object number) {
        return accumulator(field, operator, Parts.of("input", expression).with("n", number));
    }

    private static Parts sorted(Bson sort, Object output) {
        return Parts.of("sortBy", sort).with("output", output);
    }

    private static BsonField accumulator(String field, String operator, Object operand) {
        return new BsonField(field, Parts.of(operator, operand));
    }
}
