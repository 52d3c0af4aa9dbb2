package dev.semel.query.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.query.Shorthand;
import dev.semel.query.expression.Environment;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.value.Numbers;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Window functions are what {@code $group} and plain loops make of the documents of each window, found by its definition. */
final class WindowPropertyTest {
    private static final List<String> ACCUMULATORS = List.of(
            "{$sum: '$v'}",
            "{$avg: '$v'}",
            "{$min: '$v'}",
            "{$max: '$v'}",
            "{$count: {}}",
            "{$push: '$v'}",
            "{$addToSet: '$v'}",
            "{$first: '$_id'}",
            "{$last: '$_id'}",
            "{$stdDevPop: '$v'}",
            "{$stdDevSamp: '$v'}",
            "{$firstN: {n: 3, input: '$v'}}",
            "{$lastN: {n: 3, input: '$v'}}",
            "{$minN: {n: 3, input: '$v'}}",
            "{$maxN: {n: 3, input: '$v'}}",
            "{$top: {sortBy: {v: 1}, output: '$_id'}}",
            "{$topN: {n: 3, sortBy: {v: -1}, output: '$_id'}}",
            "{$bottom: {sortBy: {v: 1}, output: '$_id'}}",
            "{$bottomN: {n: 3, sortBy: {v: 1}, output: '$_id'}}",
            "{$median: {input: '$v', method: 'approximate'}}",
            "{$percentile: {input: '$v', p: [0.1, 0.5, 0.95], method: 'approximate'}}");

    /** A root of what is left where squares cancel out. */
    private static final double ROUNDING = 1e-6;

    /** The documents of one partition, sorted by {@code p}, with {@code _id} their place. */
    private static List<RawDocument> documents(Random random, int count) {
        List<RawDocument> documents = new ArrayList<>();
        int position = 0;
        for (int i = 0; i < count; i++) {
            position += random.nextInt(4);
            BsonWriter document = new BsonWriter().put("_id", i).put("p", position);
            switch (random.nextInt(8)) {
                case 0 -> {}
                case 1 -> document.put("v", Value.NULL);
                case 2 -> document.put("v", "text");
                case 3 -> document.put("v", random.nextInt(64) / 4.0);
                default -> document.put("v", random.nextInt(21) - 10);
            }
            documents.add(document.finish());
        }
        return documents;
    }

    /** An end of a window: the text it is written as, and what it is as a number, or null if it is not bounded. */
    private record End(String text, @Nullable Integer distance) {
        static End of(Random random) {
            return switch (random.nextInt(5)) {
                case 0 -> new End("'unbounded'", null);
                case 1 -> new End("'current'", 0);
                default -> {
                    int distance = random.nextInt(17) - 8;
                    yield new End(String.valueOf(distance), distance);
                }
            };
        }
    }

    @Test
    void accumulatorsAreThoseOfTheDocumentsInTheWindow() {
        Seeds.check(600, random -> {
            List<RawDocument> documents = documents(random, random.nextInt(40));
            boolean range = random.nextBoolean();
            End lower = End.of(random);
            End upper = End.of(random);
            if (lower.distance() != null && upper.distance() != null && lower.distance() > upper.distance()) {
                return;
            }
            String accumulator = ACCUMULATORS.get(random.nextInt(ACCUMULATORS.size()));
            String window =
                    "window: {" + (range ? "range" : "documents") + ": [" + lower.text() + ", " + upper.text() + "]}";
            String function = accumulator.substring(0, accumulator.length() - 1) + ", " + window + "}";
            List<Value> found = values(documents, function);
            for (int i = 0; i < documents.size(); i++) {
                List<RawDocument> inside = inside(documents, i, lower, upper, range);
                Value expected = grouped(inside, accumulator);
                if (inside.isEmpty()) {
                    continue;
                }
                assertThat(isSame(found.get(i), expected, accumulator.contains("$addToSet")))
                        .as("%s at %d of %s is %s, expected %s", function, i, documents, found.get(i), expected)
                        .isTrue();
            }
        });
    }

    private static List<Value> values(List<RawDocument> documents, String function) {
        List<RawDocument> stages =
                List.of(Shorthand.document("{$setWindowFields: {sortBy: {p: 1}, output: {r: " + function + "}}}"));
        return run(stages, documents).stream()
                .map(each -> {
                    Value value = each.get("r");
                    return value == null ? Value.UNDEFINED : value;
                })
                .toList();
    }

    private static List<RawDocument> run(List<RawDocument> stages, List<RawDocument> documents) {
        List<RawDocument> results = new ArrayList<>();
        try (Source source = Pipelines.parse(stages, Shorthand.scope()).open(Source.of(documents), true)) {
            for (RawDocument next = source.next(); next != null; next = source.next()) {
                results.add(next);
            }
        }
        return results;
    }

    /** By the definition; a current end of a range is the document, not those at the same position. */
    private static List<RawDocument> inside(
            List<RawDocument> documents, int current, End lower, End upper, boolean range) {
        Predicate<Integer> afterLower = i -> lower.distance() == null
                || ((lower.text().contains("current") || !range)
                        ? i >= current + lower.distance()
                        : position(documents, i) >= position(documents, current) + lower.distance());
        Predicate<Integer> beforeUpper = i -> upper.distance() == null
                || ((upper.text().contains("current") || !range)
                        ? i <= current + upper.distance()
                        : position(documents, i) <= position(documents, current) + upper.distance());
        return IntStream.range(0, documents.size())
                .boxed()
                .filter(afterLower.and(beforeUpper))
                .map(documents::get)
                .toList();
    }

    private static long position(List<RawDocument> documents, int i) {
        return Numbers.exactLong(documents.get(i).get("p")).orElseThrow();
    }

    private static Value grouped(List<RawDocument> documents, String accumulator) {
        var stages = List.of(Shorthand.document("{$group: {_id: null, r: " + accumulator + "}}"));
        List<RawDocument> groups = run(stages, documents);
        Value value = groups.isEmpty() ? null : groups.getFirst().get("r");
        return value == null ? Value.NULL : value;
    }

    private static boolean isSame(Value found, Value expected, boolean asSet) {
        if (found instanceof Value.Array(RawDocument a) && expected instanceof Value.Array(RawDocument b)) {
            return asSet ? set(a).equals(set(b)) : ValueOrder.equal(found, expected);
        }
        if (Numbers.isNumber(found) && Numbers.isNumber(expected)) {
            double difference = Numbers.doubleOf(found) - Numbers.doubleOf(expected);
            return Math.abs(difference) <= ROUNDING * Math.max(1, Math.abs(Numbers.doubleOf(expected)));
        }
        return ValueOrder.equal(found, expected);
    }

    private static Set<Value> set(RawDocument elements) {
        Set<Value> set = new TreeSet<>(Comparator.nullsFirst(ValueOrder::compare));
        for (Element element : elements) {
            set.add(element.value());
        }
        return set;
    }

    @Test
    void ranksCountDocumentsAndPositionsBefore() {
        Seeds.check(100, random -> {
            List<RawDocument> documents = documents(random, random.nextInt(40));
            List<Value> ranks = values(documents, "{$rank: {}}");
            List<Value> dense = values(documents, "{$denseRank: {}}");
            for (int i = 0; i < documents.size(); i++) {
                long at = position(documents, i);
                long[] before = IntStream.range(0, documents.size())
                        .mapToLong(each -> position(documents, each))
                        .filter(each -> each < at)
                        .toArray();
                assertThat(ranks.get(i)).isEqualTo(Value.of(before.length + 1));
                assertThat(dense.get(i))
                        .isEqualTo(Value.of(
                                (int) java.util.Arrays.stream(before).distinct().count() + 1));
            }
        });
    }

    /** The area below straight lines, the slope between two points, and the covariance, summed up anew for each window. */
    @Test
    void areasSlopesAndCovariancesAreThoseOfThePointsInTheWindow() {
        Seeds.check(300, random -> {
            List<RawDocument> documents = new ArrayList<>();
            int position = 0;
            int count = 1 + random.nextInt(30);
            for (int i = 0; i < count; i++) {
                position += 1 + random.nextInt(3);
                documents.add(new BsonWriter()
                        .put("_id", i)
                        .put("p", position)
                        .put("v", random.nextInt(21) - 10)
                        .finish());
            }
            int low = random.nextInt(9) - 6;
            int high = low + random.nextInt(8);
            String window = ", window: {documents: [" + low + ", " + high + "]}}";
            List<Value> areas = values(documents, "{$integral: {input: '$v'}" + window);
            List<Value> slopes = values(documents, "{$derivative: {input: '$v'}" + window);
            List<Value> covariances = values(documents, "{$covariancePop: ['$p', '$v']" + window);
            List<Value> samples = values(documents, "{$covarianceSamp: ['$p', '$v']" + window);
            for (int i = 0; i < count; i++) {
                int from = Math.max(0, i + low);
                int to = Math.min(count - 1, i + high);
                if (from > to) {
                    assertThat(List.of(areas.get(i), slopes.get(i), covariances.get(i), samples.get(i)))
                            .containsOnly(Value.NULL);
                    continue;
                }
                double[][] points = IntStream.rangeClosed(from, to)
                        .mapToObj(each -> new double[] {
                            position(documents, each),
                            Numbers.doubleOf(java.util.Objects.requireNonNull(
                                    documents.get(each).get("v")))
                        })
                        .toArray(double[][]::new);
                double run = points[points.length - 1][0] - points[0][0];
                double rise = points[points.length - 1][1] - points[0][1];
                assertClose(areas.get(i), area(points));
                assertClose(slopes.get(i), run == 0 ? null : rise / run);
                assertClose(covariances.get(i), covariance(points, points.length));
                assertClose(samples.get(i), points.length == 1 ? null : covariance(points, points.length - 1));
            }
        });
    }

    private static double area(double[][] points) {
        double area = 0;
        for (int i = 1; i < points.length; i++) {
            area += (points[i][0] - points[i - 1][0]) * (points[i][1] + points[i - 1][1]) / 2;
        }
        return area;
    }

    private static double covariance(double[][] points, int divisor) {
        double x = 0;
        double y = 0;
        for (double[] point : points) {
            x += point[0] / points.length;
            y += point[1] / points.length;
        }
        double sum = 0;
        for (double[] point : points) {
            sum += (point[0] - x) * (point[1] - y);
        }
        return sum / divisor;
    }

    private static void assertClose(Value found, @Nullable Double expected) {
        assertThat(isSame(found, expected == null ? Value.NULL : Value.of(expected), false))
                .as("%s is %s", found, expected)
                .isTrue();
    }

    /** 20 MB of documents with a limit of 100 KB. */
    @Test
    void aValueThatIsCarriedForwardNeedsOneDocument() {
        var stages = List.of(Shorthand.document("{$setWindowFields: {output: {n: {$locf: '$v'}}}}"));
        var memory = new QueryMemory(
                MemoryAccount.unlimited().part("queries", "", () -> Long.MAX_VALUE), () -> 100_000, null);
        var scope = new FilterScope(new Environment(0, null, new Random(1), () -> {}, null, memory));
        var pipeline = Pipelines.parse(stages, scope);
        RawDocument document = new BsonWriter().put("v", "x".repeat(1000)).finish();
        var documents = new Source() {
            private int left = 20_000;

            @Override
            public @Nullable RawDocument next() {
                return left-- > 0 ? document : null;
            }

            @Override
            public void close() {}
        };
        try (Source source = pipeline.open(documents, false)) {
            int count = 0;
            while (source.next() != null) {
                count++;
            }
            assertThat(count).isEqualTo(20_000);
        }
    }

    /** What does not fit into memory waits in files; the values are the same, and no file is left. */
    @Test
    void partitionsThatDoNotFitGiveTheSameValues() {
        Seeds.check(150, random -> {
            List<RawDocument> documents = documents(random, 100 + random.nextInt(200));
            End lower = End.of(random);
            End upper = End.of(random);
            if (lower.distance() != null && upper.distance() != null && lower.distance() > upper.distance()) {
                return;
            }
            String window = "window: {documents: [" + lower.text() + ", " + upper.text() + "]}";
            var stage = Shorthand.document("{$setWindowFields: {sortBy: {p: 1}, output: {a: {$sum: '$v', " + window
                    + "}, b: {$last: '$_id', " + window + "}, c: {$sum: '$v'}, d: {$shift: {by: 5, output: '$_id'}},"
                    + " e: {$max: '$p', window: {range: [-3, 40]}}}}}");
            HeapSpillSpace disk = new HeapSpillSpace();
            assertThat(run(List.of(stage), documents, 6_000, disk)).isEqualTo(run(List.of(stage), documents));
            assertThat(disk.open).isZero();
            // Without a sort, the files are those of the partition.
            var whole = List.of(Shorthand.document("{$setWindowFields: {output: {c: {$sum: '$v'}}}}"));
            HeapSpillSpace ofPartition = new HeapSpillSpace();
            assertThat(run(whole, documents, 6_000, ofPartition)).isEqualTo(run(whole, documents));
            assertThat(ofPartition.begun).isPositive();
            assertThat(ofPartition.open).isZero();
        });
    }

    /** 20 MB of documents with a limit of 1 MB: what looks to the end of the partition reads them from files. */
    @Test
    void windowsToTheEndOfAPartitionHoldLittleOfIt() {
        int count = 20_000;
        var stages = List.of(Shorthand.document("{$setWindowFields: {sortBy: {i: 1}, output: {"
                + "whole: {$sum: '$v'}, mean: {$avg: '$v', window: {documents: ['unbounded', 'unbounded']}},"
                + "most: {$max: '$v'}, last: {$last: '$i'}, ahead: {$sum: '$v', window: {documents: [1, 'unbounded']}},"
                + "rest: {$sum: '$v', window: {documents: ['current', 'unbounded']}},"
                + "around: {$sum: '$v', window: {documents: [-2, 'unbounded']}},"
                + "far: {$sum: '$v', window: {documents: [-5000, 5000]}}}}}"));
        var part = MemoryAccount.unlimited().part("queries", "", () -> Long.MAX_VALUE);
        HeapSpillSpace disk = new HeapSpillSpace();
        var memory = new QueryMemory(part, () -> 1 << 20, disk);
        var scope = new FilterScope(new Environment(0, null, new Random(1), () -> {}, null, memory));
        String padding = "x".repeat(1000);
        List<RawDocument> documents = new ArrayList<>();
        long total = 0;
        for (int i = 0; i < count; i++) {
            int v = i % 10;
            total += v;
            documents.add(
                    new BsonWriter().put("i", i).put("v", v).put("s", padding).finish());
        }
        try (Source source = Pipelines.parse(stages, scope).open(Source.of(documents), true)) {
            long before = 0;
            for (int i = 0; i < count; i++) {
                RawDocument next = source.next();
                assertThat(part.bytes()).isLessThan(4 << 20);
                if (next == null) {
                    throw new AssertionError("no document " + i);
                }
                assertThat(number(next, "whole")).isEqualTo(total);
                assertThat(next.get("mean")).isEqualTo(Value.of(4.5));
                assertThat(number(next, "most")).isEqualTo(9);
                assertThat(number(next, "last")).isEqualTo(count - 1);
                assertThat(number(next, "rest")).isEqualTo(total - before);
                assertThat(number(next, "ahead")).isEqualTo(total - before - i % 10);
                assertThat(number(next, "around")).isEqualTo(total - sum(0, Math.max(0, i - 2)));
                assertThat(number(next, "far")).isEqualTo(sum(Math.max(0, i - 5000), Math.min(count, i + 5001)));
                before += i % 10;
            }
            assertThat(source.next()).isNull();
        }
        assertThat(disk.begun).isPositive();
        assertThat(disk.open).isZero();
        assertThat(part.bytes()).isZero();
    }

    /** Of the last digits of the numbers from one to before another. */
    private static long sum(int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += i % 10;
        }
        return sum;
    }

    private static long number(RawDocument document, String field) {
        return Numbers.exactLong(Objects.requireNonNull(document.get(field))).orElseThrow();
    }

    private static List<RawDocument> run(
            List<RawDocument> stages, List<RawDocument> documents, long bytesMax, HeapSpillSpace disk) {
        var part = MemoryAccount.unlimited().part("queries", "", () -> Long.MAX_VALUE);
        var memory = new QueryMemory(part, () -> bytesMax, disk);
        var scope = new FilterScope(new Environment(0, null, new Random(1), () -> {}, null, memory));
        List<RawDocument> results = new ArrayList<>();
        try (Source source = Pipelines.parse(stages, scope).open(Source.of(documents), true)) {
            for (RawDocument next = source.next(); next != null; next = source.next()) {
                results.add(next);
            }
        }
        assertThat(part.bytes()).isZero();
        return results;
    }
}
