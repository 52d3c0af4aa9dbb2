package dev.semel.bench.micro;

import dev.semel.query.expression.Environment;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.pipeline.Pipelines;
import dev.semel.query.pipeline.Source;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What {@code $group} costs per document of 1 KB that is in memory: the aim is below 400 ns. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class GroupBenchmark {
    private static final int DOCUMENTS = 100_000;

    private final List<RawDocument> documents = new ArrayList<>();

    @Setup
    public void write() {
        Random random = new Random(42);
        String padding = "x".repeat(900);
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(new BsonWriter(1024)
                    .put("_id", i)
                    .put("k", random.nextInt(100))
                    .put("v", random.nextDouble())
                    .put("name", "name " + i)
                    .put("padding", padding)
                    .finish()
                    .detached());
        }
    }

    /** Key and values are looked at where they stand. */
    @Benchmark
    @OperationsPerInvocation(DOCUMENTS)
    public int byFieldsInPlace() {
        return run("{\"$group\": {\"_id\": \"$k\", \"n\": {\"$sum\": 1}, \"s\": {\"$sum\": \"$v\"}, \"a\": {\"$avg\":"
                + " \"$v\"}}}");
    }

    /** Key and values are computed. */
    @Benchmark
    @OperationsPerInvocation(DOCUMENTS)
    public int byExpressions() {
        return run(
                "{\"$group\": {\"_id\": {\"$mod\": [\"$k\", 10]}, \"s\": {\"$sum\": {\"$multiply\": [\"$v\", 2]}}}}");
    }

    private int run(String stage) {
        var scope = new FilterScope(new Environment(0, null, new Random(0)));
        int groups = 0;
        try (Source results = Pipelines.parse(List.of(Json.parse(stage)), scope).open(Source.of(documents), false)) {
            while (results.next() != null) {
                groups++;
            }
        }
        return groups;
    }
}
