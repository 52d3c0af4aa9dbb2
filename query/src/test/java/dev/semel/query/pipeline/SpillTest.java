package dev.semel.query.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.semel.golden.Seeds;
import dev.semel.query.Shorthand;
import dev.semel.query.expression.Environment;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.value.Collation;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.MemoryAccount;
import dev.semel.wire.memory.MemoryPart;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What does not fit into memory must come out as if it did. */
final class SpillTest {
    private static final long BYTES_MAX = 4_000;

    /** One group fits, all do not. */
    private static final long GROUP_BYTES_MAX = 40_000;

    private final MemoryPart part = MemoryAccount.unlimited().part("queries", "queryBytesTotalMax", () -> 1 << 20);
    private final HeapSpillSpace space = new HeapSpillSpace();

    private List<RawDocument> run(List<RawDocument> documents, boolean allowDiskUse, long bytesMax, String... stages) {
        return run(Collation.SIMPLE, documents, allowDiskUse, bytesMax, stages);
    }

    private List<RawDocument> run(
            Collation collation, List<RawDocument> documents, boolean allowDiskUse, long bytesMax, String... stages) {
        var memory = new QueryMemory(part, () -> bytesMax, space);
        var environment = new Environment(0, null, new Random(1), () -> {}, null, memory);
        var pipeline = Pipelines.parse(
                Stream.of(stages).map(Shorthand::document).toList(), new FilterScope(environment).under(collation));
        try (var source = pipeline.open(Source.of(documents), allowDiskUse)) {
            return Stream.generate(source::next).takeWhile(each -> each != null).toList();
        } finally {
            assertThat(space.open).isZero();
            assertThat(part.bytes()).isZero();
        }
    }

    private static List<RawDocument> documents(Random random, int count) {
        List<RawDocument> documents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            BsonWriter document = new BsonWriter().put("_id", i).put("s", "x".repeat(random.nextInt(50)));
            switch (random.nextInt(4)) {
                case 0 -> document.put("k", random.nextInt(40));
                case 1 -> document.put("k", (double) random.nextInt(40));
                case 2 -> document.put("k", "k" + random.nextInt(40));
                default -> {}
            }
            if (random.nextInt(10) > 0) {
                document.put("v", random.nextInt(100) - 20);
            }
            documents.add(document.finish());
        }
        return documents;
    }

    private void assertSame(List<RawDocument> documents, String... stages) {
        assertSame(BYTES_MAX, documents, stages);
    }

    private void assertSame(long bytesMax, List<RawDocument> documents, String... stages) {
        int before = space.begun;
        List<RawDocument> expected = run(documents, true, 1 << 19, stages);
        assertThat(space.begun).isEqualTo(before);
        assertThat(run(documents, true, bytesMax, stages)).isEqualTo(expected);
        assertThat(space.begun).isGreaterThan(before);
    }

    @Test
    void aSortThatSpillsIsStable() {
        Seeds.check(10, random -> assertSame(documents(random, 1_500), "{$sort: {k: 1}}"));
    }

    /** Texts as a collation compares them are held beside the documents. */
    @Test
    void whatACollationComparesCounts() {
        List<RawDocument> documents = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            documents.add(new BsonWriter().put("s", "a".repeat(1_000 + i)).finish());
        }
        Collation caseless = Objects.requireNonNull(Collation.parse(Shorthand.document("{locale: 'en', strength: 2}")));
        for (Collation collation : List.of(Collation.SIMPLE, caseless)) {
            int before = space.begun;
            assertThat(run(collation, documents, true, 13_000, "{$sort: {s: 1}}"))
                    .isEqualTo(documents);
            assertThat(space.begun > before).as("spills with %s", collation).isEqualTo(!collation.isSimple());
        }
    }

    @Test
    void aSortWithALimitSpillsWhatItWants() {
        Seeds.check(10, random -> assertSame(documents(random, 1_500), "{$sort: {k: -1, s: 1}}", "{$limit: 300}"));
    }

    @Test
    void bucketsAreTheSameOnDisk() {
        Seeds.check(
                5,
                random -> assertSame(
                        documents(random, 1_000),
                        "{$bucketAuto: {groupBy: '$k', buckets: 7, output: {n: {$sum: 1}, v: {$push: '$v'}}}}"));
    }

    @Test
    void facetsReadTheirInputFromDisk() {
        Seeds.check(
                5,
                random -> assertSame(
                        documents(random, 1_000),
                        "{$facet: {a: [{$sort: {k: 1}}, {$limit: 3}], b: [{$count: 'n'}], c: [{$skip: 998}]}}"));
    }

    @Test
    void aSampleIsTheSameOnDisk() {
        Seeds.check(5, random -> assertSame(documents(random, 1_000), "{$sample: {size: 700}}"));
    }

    @Test
    void everyAccumulatorCombinesItsParts() {
        Seeds.check(20, random -> {
            List<RawDocument> documents = documents(random, 1_500);
            String group =
                    "{$group: {_id: '$k', sum: {$sum: '$v'}, avg: {$avg: '$v'}, min: {$min: '$v'}, max: {$max: '$v'},"
                        + " first: {$first: '$v'}, last: {$last: '$v'}, push: {$push: '$v'}, set: {$addToSet: '$v'},"
                        + " firstN: {$firstN: {n: 3, input: '$v'}}, lastN: {$lastN: {n: 3, input: '$v'}}, minN:"
                        + " {$minN: {n: 3, input: '$v'}}, maxN: {$maxN: {n: 3, input: '$v'}}, top: {$top: {sortBy: {v:"
                        + " 1}, output: '$_id'}}, bottom: {$bottom: {sortBy: {v: 1}, output: '$_id'}}, topN: {$topN:"
                        + " {n: 3, sortBy: {v: 1, s: -1}, output: ['$_id', '$v']}}, bottomN: {$bottomN: {n: 3, sortBy:"
                        + " {v: 1}, output: '$_id'}}, count: {$count: {}}, merged: {$mergeObjects: {a: '$v', b:"
                        + " '$s'}}, median: {$median: {input: '$v', method: 'approximate'}}, percentile: {$percentile:"
                        + " {input: '$v', p: [0.1, 0.9], method: 'approximate'}}}}";
            String order = "{$sort: {_id: 1}}";
            assertSame(GROUP_BYTES_MAX, documents, group, order);
        });
    }

    @Test
    void deviationsCombineTheirParts() {
        Seeds.check(20, random -> {
            List<RawDocument> documents = documents(random, 1_500);
            String group =
                    "{$group: {_id: '$k', pop: {$stdDevPop: '$v'}, samp: {$stdDevSamp: '$v'}, fill: {$push: '$s'}}}";
            String order = "{$sort: {_id: 1}}";
            List<RawDocument> expected = run(documents, true, 1 << 19, group, order);
            List<RawDocument> found = run(documents, true, GROUP_BYTES_MAX, group, order);
            assertThat(found).hasSameSizeAs(expected);
            for (int i = 0; i < found.size(); i++) {
                for (String field : List.of("pop", "samp")) {
                    assertThat(number(found.get(i), field)).isEqualTo(number(expected.get(i), field), within(1e-9));
                }
            }
        });
    }

    private static double number(RawDocument document, String field) {
        Value value = document.get(field);
        return value == null || value.equals(Value.NULL) ? -1 : Numbers.doubleOf(value);
    }

    @Test
    void sumsOfAllKindsOfNumbersCombine() {
        String group = "{$group: {_id: '$k', sum: {$sum: '$v'}, avg: {$avg: '$v'}, fill: {$push: '$s'}}}";
        List<RawDocument> documents = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            for (int k = 0; k < 5; k++) {
                BsonWriter document = new BsonWriter().put("k", k).put("s", "x".repeat(30));
                switch (k) {
                    case 0 -> document.put("v", 1);
                    case 1 -> document.put("v", Long.MAX_VALUE / 3);
                    case 2 -> document.put("v", 0.1);
                    case 3 -> document.put("v", Shorthand.value("{$numberDecimal: '0.1'}"));
                    default -> document.put("v", i % 2 == 0 ? Double.POSITIVE_INFINITY : 1.0);
                }
                documents.add(document.finish());
            }
        }
        assertSame(GROUP_BYTES_MAX, documents, group, "{$sort: {_id: 1}}");
    }

    @Test
    void withoutDiskTheLimitIsAnError() {
        List<RawDocument> documents = documents(new Random(1), 1_000);
        assertThatThrownBy(() -> run(documents, false, BYTES_MAX, "{$sort: {k: 1}}"))
                .hasMessageContaining(
                        "Sort exceeded memory limit of 4000 bytes, but did not opt in to external sorting.");
        assertThatThrownBy(() -> run(documents, false, BYTES_MAX, "{$group: {_id: '$_id'}}"))
                .hasMessageContaining("Exceeded memory limit for $group, but didn't allow external spilling");
        assertThat(space.begun).isZero();
    }

    @Test
    void oneGroupThatIsTooLargeIsRefused() {
        List<RawDocument> documents = documents(new Random(1), 1_000);
        assertThatThrownBy(() -> run(documents, true, BYTES_MAX, "{$group: {_id: null, all: {$push: '$$ROOT'}}}"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("$group used too much memory and cannot spill to disk. Memory limit: 4000 bytes");
    }

    /** The longest string comes first and the greatest one too, so that all are candidates. */
    private static List<RawDocument> descending() {
        List<RawDocument> documents = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            documents.add(new BsonWriter()
                    .put("_id", i)
                    .put("s", (999 - i) + "x".repeat(997))
                    .finish());
        }
        return documents;
    }

    private static String windows(String function) {
        return "{$setWindowFields: {sortBy: {_id: 1}, output: {r: " + function + "}}}";
    }

    @Test
    void candidatesOfAMovingWindowAreLimited() {
        String greatest = windows("{$max: '$s', window: {documents: [-200, 0]}}");
        assertThatThrownBy(() -> run(descending(), true, 100_000, greatest))
                .isInstanceOf(CommandException.class)
                .hasMessage(
                        "Exceeded memory limit in DocumentSourceSetWindowFields, used 115210 bytes but max allowed is"
                                + " 100000");
        String least = windows("{$min: '$s', window: {documents: [-200, 0]}}");
        assertThat(run(descending(), true, 100_000, least)).isEqualTo(run(descending(), true, 1 << 19, least));
    }

    @Test
    void whatAWindowCollectsIsLimited() {
        for (String function : List.of(
                "{$push: '$s', window: {documents: ['unbounded', 0]}}",
                "{$addToSet: '$s', window: {documents: ['unbounded', 0]}}",
                "{$topN: {n: 200, sortBy: {s: 1}, output: '$s'}, window: {documents: ['unbounded', 0]}}")) {
            assertThatThrownBy(() -> run(descending(), true, 100_000, windows(function)))
                    .isInstanceOfSatisfying(
                            CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ExceededMemoryLimit))
                    .hasMessage("$setWindowFields used too much memory and cannot spill to disk. Memory limit: 100000"
                            + " bytes");
        }
        assertThatThrownBy(() ->
                        run(descending(), true, 100_000, windows("{$push: '$s', window: {documents: [-200, 0]}}")))
                .hasMessageContaining("Exceeded memory limit in DocumentSourceSetWindowFields");
    }

    @Test
    void whatManyFunctionsKeepOfADocumentIsLimited() {
        for (String function :
                List.of("{$rank: {}}", "{$locf: '$s'}", "{$shift: {output: '$s', by: 1}}", "{$last: '$s'}")) {
            StringBuilder stage = new StringBuilder("{$setWindowFields: {sortBy: {s: 1}, output: {");
            for (int i = 0; i < 120; i++) {
                stage.append(i == 0 ? "" : ", ")
                        .append('r')
                        .append(i)
                        .append(": ")
                        .append(function);
            }
            assertThatThrownBy(() -> run(descending(), true, 100_000, stage + "}}}"))
                    .hasMessageContaining("Exceeded memory limit in DocumentSourceSetWindowFields");
        }
    }

    /** Each function may hold its window, but not all of them what they return. */
    @Test
    void whatWindowsReturnIsCountedUntilTheDocumentHasItsFields() {
        StringBuilder stage = new StringBuilder("{$setWindowFields: {sortBy: {_id: 1}, output: {");
        for (int i = 0; i < 6; i++) {
            stage.append(i == 0 ? "" : ", ")
                    .append('r')
                    .append(i)
                    .append(": {$push: '$s', window: {documents: [-99, 0]}}");
        }
        assertThatThrownBy(() -> run(descending(), true, 1 << 20, stage + "}}}"))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ExceededMemoryLimit))
                .hasMessageContaining("the limit of 1048576 bytes set by the parameter queryBytesTotalMax");
    }

    @Test
    void documentsCanBeReadSeveralTimesAndAtSeveralPlaces() {
        var memory = new QueryMemory(part, () -> BYTES_MAX, space);
        try (var reservation = part.open();
                var buffer = new DocumentBuffer(MemoryBudget.of("test", true, memory, reservation, () -> {}))) {
            for (int round = 0; round < 3; round++) {
                List<RawDocument> documents = documents(new Random(round), round == 1 ? 10 : 500);
                documents.forEach(buffer::add);
                Source first = buffer.read();
                first.next();
                assertThat(all(buffer.read())).isEqualTo(documents);
                assertThat(all(first)).isEqualTo(documents.subList(1, documents.size()));
                buffer.clear();
            }
            assertThat(space.begun).isEqualTo(2);
        }
        assertThat(space.open).isZero();
    }

    private static List<RawDocument> all(Source source) {
        return Stream.generate(source::next).takeWhile(each -> each != null).toList();
    }

    @Test
    void manyRunsAreMergedInSteps() {
        var memory = new QueryMemory(part, () -> BYTES_MAX, space);
        List<RawDocument> documents = documents(new Random(3), 20_000);
        SpillFormat<RawDocument> format = new SpillFormat<>() {
            @Override
            public List<ByteBuffer> parts(RawDocument item) {
                return List.of(ByteBuffer.wrap(item.toBytes()));
            }

            @Override
            public RawDocument fromBytes(byte[] record) {
                return RawDocument.of(record);
            }
        };
        Comparator<RawDocument> order = Comparator.comparingInt(
                        (RawDocument each) -> String.valueOf(each.get("s")).length())
                .thenComparingDouble(each -> number(each, "_id"));
        try (var reservation = part.open();
                var sorter = new Sorter<>(
                        order,
                        0,
                        format,
                        each -> 100L,
                        MemoryBudget.of("test", true, memory, reservation, () -> {}),
                        () -> {})) {
            documents.forEach(sorter::add);
            List<RawDocument> sorted = Stream.generate(sorter::next)
                    .takeWhile(each -> each != null)
                    .toList();
            assertThat(sorted).isEqualTo(documents.stream().sorted(order).toList());
            assertThat(sorter.spills()).isEqualTo(500);
            assertThat(space.open).isLessThanOrEqualTo(16);
        }
        assertThat(space.open).isZero();
    }

    /** Another query that spills or ends soon is no reason to fail. */
    @Test
    void whatCanSpillWaitsForOthersThatHoldAllMemory() {
        part.take(1 << 20);
        var waits = new int[1];
        var memory = new QueryMemory(part, () -> BYTES_MAX, space);
        try (var reservation = part.open()) {
            var budget = MemoryBudget.of("test", true, memory, reservation, () -> {
                if (++waits[0] == 3) {
                    part.release(1 << 20);
                }
            });
            budget.charge(1_000);
            assertThat(waits[0]).isEqualTo(3);
            assertThat(part.bytes()).isEqualTo(1_000);
        }
    }

    @Test
    void nobodyWaitsForWhatHoldsAllMemoryItself() {
        var memory = new QueryMemory(part, () -> 4 << 20, space);
        try (var reservation = part.open()) {
            var budget = MemoryBudget.of("test", true, memory, reservation, () -> {
                throw new AssertionError("waits");
            });
            budget.charge(1 << 20);
            assertThatThrownBy(() -> budget.charge(1_000))
                    .hasMessage("What all queries hold with this test exceeds the limit of 1048576 bytes set by the"
                            + " parameter queryBytesTotalMax, of which 1048576 are in use");
        }
    }

    @Test
    void waitingForMemoryEndsWithTheOperation() {
        part.take(1 << 20);
        var memory = new QueryMemory(part, () -> BYTES_MAX, space);
        try (var reservation = part.open()) {
            var budget = MemoryBudget.of("test", true, memory, reservation, () -> {
                throw new CommandException(ErrorCode.Interrupted, "operation was interrupted");
            });
            assertThatThrownBy(() -> budget.charge(1_000)).hasMessage("operation was interrupted");
        } finally {
            part.release(1 << 20);
        }
    }
}
