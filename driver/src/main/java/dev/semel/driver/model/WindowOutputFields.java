package dev.semel.driver.model;

import java.util.Arrays;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Builders for window functions. A window of null is the whole partition. */
public final class WindowOutputFields {
    private WindowOutputFields() {}

    /** For a function without a builder. */
    public static WindowOutputField of(BsonField field) {
        return new WindowOutputField(field);
    }

    private static WindowOutputField of(String path, String function, Object argument, @Nullable Window window) {
        if (path.isEmpty()) {
            throw new IllegalArgumentException("The path of a window's output is empty");
        }
        return of(new BsonField(path, Parts.of(function, argument).withIfSet("window", window)));
    }

    public static WindowOutputField sum(String path, Object expression, @Nullable Window window) {
        return of(path, "$sum", expression, window);
    }

    public static WindowOutputField avg(String path, Object expression, @Nullable Window window) {
        return of(path, "$avg", expression, window);
    }

    /** At several quantiles between 0 and 1, given as an array. */
    public static WindowOutputField percentile(
            String path, Object input, Object percentages, QuantileMethod method, @Nullable Window window) {
        return of(
                path,
                "$percentile",
                Parts.of("input", input).with("p", percentages).with("method", method.toBsonValue()),
                window);
    }

    public static WindowOutputField median(String path, Object input, QuantileMethod method, @Nullable Window window) {
        return of(path, "$median", Parts.of("input", input).with("method", method.toBsonValue()), window);
    }

    public static WindowOutputField stdDevSamp(String path, Object expression, @Nullable Window window) {
        return of(path, "$stdDevSamp", expression, window);
    }

    public static WindowOutputField stdDevPop(String path, Object expression, @Nullable Window window) {
        return of(path, "$stdDevPop", expression, window);
    }

    public static WindowOutputField min(String path, Object expression, @Nullable Window window) {
        return of(path, "$min", expression, window);
    }

    public static WindowOutputField max(String path, Object expression, @Nullable Window window) {
        return of(path, "$max", expression, window);
    }

    public static WindowOutputField push(String path, Object expression, @Nullable Window window) {
        return of(path, "$push", expression, window);
    }

    public static WindowOutputField addToSet(String path, Object expression, @Nullable Window window) {
        return of(path, "$addToSet", expression, window);
    }

    public static WindowOutputField first(String path, Object expression, @Nullable Window window) {
        return of(path, "$first", expression, window);
    }

    public static WindowOutputField last(String path, Object expression, @Nullable Window window) {
        return of(path, "$last", expression, window);
    }

    public static WindowOutputField minN(String path, Object input, Object number, @Nullable Window window) {
        return of(path, "$minN", Parts.of("input", input).with("n", number), window);
    }

    public static WindowOutputField maxN(String path, Object input, Object number, @Nullable Window window) {
        return of(path, "$maxN", Parts.of("input", input).with("n", number), window);
    }

    public static WindowOutputField firstN(String path, Object input, Object number, @Nullable Window window) {
        return of(path, "$firstN", Parts.of("input", input).with("n", number), window);
    }

    public static WindowOutputField lastN(String path, Object input, Object number, @Nullable Window window) {
        return of(path, "$lastN", Parts.of("input", input).with("n", number), window);
    }

    public static WindowOutputField count(String path, @Nullable Window window) {
        return of(path, "$count", Parts.empty(), window);
    }

    public static WindowOutputField derivative(String path, Object expression, Window window) {
        return of(path, "$derivative", Parts.of("input", expression), window);
    }

    public static WindowOutputField timeDerivative(String path, Object expression, Window window, MongoTimeUnit unit) {
        return of(path, "$derivative", Parts.of("input", expression).with("unit", unit.value()), window);
    }

    public static WindowOutputField integral(String path, Object expression, Window window) {
        return of(path, "$integral", Parts.of("input", expression), window);
    }

    public static WindowOutputField timeIntegral(String path, Object expression, Window window, MongoTimeUnit unit) {
        return of(path, "$integral", Parts.of("input", expression).with("unit", unit.value()), window);
    }

    public static WindowOutputField covarianceSamp(
            String path, Object expression, Object other, @Nullable Window window) {
        return of(path, "$covarianceSamp", Parts.Row.of(Arrays.asList(expression, other)), window);
    }

    public static WindowOutputField covariancePop(
            String path, Object expression, Object other, @Nullable Window window) {
        return of(path, "$covariancePop", Parts.Row.of(Arrays.asList(expression, other)), window);
    }

    /** Over this number of documents. */
    public static WindowOutputField expMovingAvg(String path, Object expression, int number) {
        return of(path, "$expMovingAvg", Parts.of("input", expression).with("N", number), null);
    }

    /** With the weight of the newest document, between 0 and 1. */
    public static WindowOutputField expMovingAvg(String path, Object expression, double alpha) {
        return of(path, "$expMovingAvg", Parts.of("input", expression).with("alpha", alpha), null);
    }

    public static WindowOutputField top(String path, Bson sortBy, Object output, @Nullable Window window) {
        return of(path, "$top", Parts.of("sortBy", sortBy).with("output", output), window);
    }

    public static WindowOutputField topN(
            String path, Bson sortBy, Object output, Object number, @Nullable Window window) {
        return of(
                path, "$topN", Parts.of("sortBy", sortBy).with("output", output).with("n", number), window);
    }

    public static WindowOutputField bottom(String path, Bson sortBy, Object output, @Nullable Window window) {
        return of(path, "$bottom", Parts.of("sortBy", sortBy).with("output", output), window);
    }

    public static WindowOutputField bottomN(
            String path, Bson sortBy, Object output, Object number, @Nullable Window window) {
        return of(
                path,
                "$bottomN",
                Parts.of("sortBy", sortBy).with("output", output).with("n", number),
                window);
    }

    /** The value of the document at this offset, negative for earlier ones; the default if there is none. */
    public static WindowOutputField shift(String path, Object expression, @Nullable Object otherwise, int by) {
        return of(path, "$shift", Parts.of("output", expression).with("by", by).withIfSet("default", otherwise), null);
    }

    public static WindowOutputField documentNumber(String path) {
        return of(path, "$documentNumber", Parts.empty(), null);
    }

    public static WindowOutputField rank(String path) {
        return of(path, "$rank", Parts.empty(), null);
    }

    public static WindowOutputField denseRank(String path) {
        return of(path, "$denseRank", Parts.empty(), null);
    }

    public static WindowOutputField locf(String path, Object expression) {
        return of(path, "$locf", expression, null);
    }

    public static WindowOutputField linearFill(String path, Object expression) {
        return of(path, "$linearFill", expression, null);
    }
}
