package dev.semel.bench.micro;

import dev.semel.query.expression.Environment;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Filters on the bytes of one document of about a kilobyte; what they ask for stands behind most of it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class MatcherBenchmark {
    private final RawDocument document = document();
    private final Filter equality = filter("{\"n\": 42}");
    private final Filter range = filter("{\"n\": {\"$gte\": 10, \"$lt\": 50}}");
    private final Filter string = filter("{\"city\": \"Basel\"}");
    private final Filter nested = filter("{\"address.zip\": 4001}");
    private final Filter in = filter("{\"n\": {\"$in\": [1, 2, 3, 5, 8, 13, 21, 34, 42]}}");
    private final Filter element = filter("{\"tags\": 11}");
    private final Filter regex = filter("{\"city\": {\"$regex\": \"^Ba\"}}");

    private static RawDocument document() {
        BsonWriter out = new BsonWriter().put("_id", "user4052466453699787802");
        for (int i = 0; i < 8; i++) {
            out.put("field" + i, "x".repeat(100));
        }
        out.startArray("tags");
        for (int i = 0; i < 12; i++) {
            out.add(Value.of(i));
        }
        return out.end()
                .startDocument("address")
                .put("street", "Rheingasse")
                .put("zip", 4001)
                .end()
                .put("city", "Basel")
                .put("n", 42)
                .finish();
    }

    private static Filter filter(String json) {
        return Filters.parse(Json.parse(json), new FilterScope(new Environment(0, null, new Random(1))));
    }

    @Benchmark
    public boolean equality() {
        return equality.matches(document);
    }

    @Benchmark
    public boolean range() {
        return range.matches(document);
    }

    @Benchmark
    public boolean string() {
        return string.matches(document);
    }

    @Benchmark
    public boolean nested() {
        return nested.matches(document);
    }

    @Benchmark
    public boolean in() {
        return in.matches(document);
    }

    @Benchmark
    public boolean element() {
        return element.matches(document);
    }

    @Benchmark
    public boolean regex() {
        return regex.matches(document);
    }
}
