package dev.semel.query.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.query.Shorthand;
import dev.semel.query.expression.Environment;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.FilterScope;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.MemoryAccount;
import dev.semel.wire.memory.MemoryPart;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Intermediate results of expressions and stages are reserved from the memory of queries, and released. */
final class QueryMemoryTest {
    private static final long BYTES_MAX = 8 << 20;

    private final MemoryPart part = MemoryAccount.unlimited().part("queries", "queryBytesTotalMax", () -> BYTES_MAX);

    /** A field of 100,000 numbers, which takes 1.2 MB, and a text of 100,000 characters. */
    private static final String FIELDS =
            "{$set: {a: {$range: ['$zero', 100000]}, t: {$reduce: {input: {$range: ['$zero', 1000]}, initialValue: '',"
                    + " in: {$concat: ['$$value', '" + "x".repeat(100) + "']}}}}}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$range: ['$zero', 2000000]}",
                "{$size: {$concatArrays: ['$a', '$a', '$a', '$a', '$a']}}",
                "{$let: {vars: {u: {$slice: ['$a', 90000]}, v: {$slice: ['$a', 90000]}, w: {$slice: ['$a', 90000]}, x:"
                        + " {$slice: ['$a', 90000]}, y: {$slice: ['$a', 90000]}, z: {$reverseArray: '$a'}}, in: {$size:"
                        + " '$$z'}}}",
                "{$setUnion: ['$a', []]}",
                "{$setIntersection: ['$a', '$a']}",
                "{$setDifference: ['$a', [1]]}",
                "{$setEquals: ['$a', '$a']}",
                "{$setIsSubset: ['$a', '$a']}",
                "{$sortArray: {input: {$concatArrays: ['$a', '$a']}, sortBy: -1}}",
                "{$reverseArray: {$concatArrays: ['$a', '$a']}}",
                "{$zip: {inputs: ['$a', '$a']}}",
                "{$firstN: {n: 100000, input: {$slice: [{$concatArrays: ['$a', '$a']}, 150000]}}}",
                "{$map: {input: '$a', in: {n: '$$this', m: 'a text that is there a hundred thousand times'}}}",
                "{$filter: {input: {$concatArrays: ['$a', '$a', '$a']}, cond: true}}",
                "{$replaceAll: {input: '$t', find: 'x', replacement: {$substrBytes: ['$t', 0, 100]}}}",
                "{$split: [{$concat: ['$t', '$t', '$t', '$t']}, 'x']}",
                "{$regexFindAll: {input: '$t', regex: 'x'}}",
                "{$objectToArray: {$arrayToObject: {$map: {input: '$a', in: {k: {$toString: '$$this'}, v: 1}}}}}",
                "{$mergeObjects: {$map: {input: {$slice: ['$a', 60000]}, in: {$arrayToObject:"
                        + " [[{k: {$toString: '$$this'}, v: 1}]]}}}}",
                "[{$slice: ['$a', 90000]}, {$slice: ['$a', 90000]}, {$slice: ['$a', 90000]}, {$slice: ['$a', 90000]}]",
                "{x: {$slice: ['$a', 90000]}, y: {$slice: ['$a', 90000]}, z: {$slice: ['$a', 90000]}, u: '$a'}",
            })
    void whatIsTooLargeIsRefusedAndForgotten(String expression) {
        assertThatThrownBy(() -> run(1, FIELDS, "{$project: {r: " + expression + "}}"))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code().number()).isEqualTo(146))
                .hasMessageContaining("queryBytesTotalMax");
        assertThat(part.bytes()).isZero();
    }

    @Test
    void whatAnEarlierStepHasBuiltIsNotCounted() {
        // 20 times 1.2 MB, one after the other.
        var sums = "{$reduce: {input: {$range: ['$zero', 20]}, initialValue: 0, in:"
                + " {$add: ['$$value', {$size: {$slice: ['$a', 90000]}}]}}}";
        var results = run(20, FIELDS, "{$project: {_id: 0, n: " + sums + "}}");
        assertThat(results).hasSize(20).allMatch(each -> each.toString().equals("{\"n\": 1800000}"));
        assertThat(part.bytes()).isZero();
        assertThat(part.peakBytes()).isBetween(2_000_000L, BYTES_MAX);
    }

    @Test
    void aConstantThatIsLargeIsNotHeldByTheQuery() {
        assertThat(run(1, "{$project: {_id: 0, n: {$size: {$range: [0, 200000]}}}}"))
                .hasToString("[{\"n\": 200000}]");
        assertThat(part.peakBytes()).isGreaterThan(2_000_000L);
        assertThat(part.bytes()).isZero();
    }

    @Test
    void documentsThatGrowOnTheirWayAreCounted() {
        var grow = "{$set: {b: {$concatArrays: ['$a', '$a']}}}";
        assertThatThrownBy(() -> run(1, FIELDS, grow, grow.replace("b:", "c:"), grow.replace("b:", "d:")))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code().number()).isEqualTo(146));
        assertThat(part.bytes()).isZero();
    }

    @Test
    void whatOneDocumentLeadsToIsForgottenBeforeTheNext() {
        var text = "x".repeat(1 << 20);
        var graph = "{$graphLookup: {from: 'c', startWith: 1, connectFromField: 'n', connectToField: 'k', as: 'all'}}";
        assertThat(runBeside(text, 30, graph, "{$project: {_id: 0, n: {$size: '$all'}}}"))
                .hasSize(30)
                .allMatch(each -> each.toString().equals("{\"n\": 1}"));
        assertThat(part.bytes()).isZero();
        var lookup = "{$lookup: {from: 'c', pipeline: [], as: 'all'}}";
        assertThat(runBeside(text, 30, lookup, "{$project: {_id: 0, n: {$size: '$all'}}}"))
                .hasSize(30);
        assertThat(part.bytes()).isZero();
        assertThatThrownBy(() -> runBeside("x".repeat(5 << 20), 1, lookup))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code().number()).isEqualTo(146));
        assertThat(part.bytes()).isZero();
    }

    private List<RawDocument> run(int documents, String... stages) {
        return run(Others.NONE, documents, stages);
    }

    /** Beside another collection with one document. */
    private List<RawDocument> runBeside(String text, int documents, String... stages) {
        var other = Shorthand.document("{_id: 1, k: 1, t: '" + text + "'}");
        return run(
                new Others() {
                    @Override
                    public Base base(String name) {
                        return new Base(name, List.of());
                    }

                    @Override
                    public Source open(
                            String collection,
                            Pipeline pipeline,
                            boolean allowDiskUse,
                            @Nullable ReadStatistics statistics) {
                        return pipeline.open(Source.of(List.of(other)), allowDiskUse);
                    }
                },
                documents,
                stages);
    }

    private List<RawDocument> run(Others others, int documents, String... stages) {
        var memory = new QueryMemory(part, () -> BYTES_MAX, null);
        var environment = new Environment(0, null, new Random(1), () -> {}, null, memory);
        var pipeline = Pipelines.parse(
                Stream.of(stages).map(Shorthand::document).toList(), new FilterScope(environment), others);
        var input = IntStream.range(0, documents)
                .mapToObj(i -> Shorthand.document("{_id: " + i + ", zero: 0}"))
                .toList();
        try (var source = pipeline.open(Source.of(input), false)) {
            return Stream.generate(source::next).takeWhile(each -> each != null).toList();
        }
    }
}
