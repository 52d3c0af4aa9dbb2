package dev.semel.bench.micro;

import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Reading and writing one document of a dozen fields, about a kilobyte. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class DocumentBenchmark {
    private static final String LAST = "total";
    private static final byte[] LAST_UTF8 = LAST.getBytes(StandardCharsets.UTF_8);

    private final RawDocument document = document();
    private final String json = Json.canonical(document);

    private static RawDocument document() {
        BsonWriter out = new BsonWriter().put("_id", "user4052466453699787802");
        for (int i = 0; i < 8; i++) {
            out.put("field" + i, "x".repeat(100));
        }
        out.startArray("tags");
        for (int i = 0; i < 12; i++) {
            out.add(Value.of(i));
        }
        out.end()
                .startDocument("address")
                .put("city", "Zürich")
                .put("zip", 8001)
                .end();
        return out.put(LAST, 12.5).finish();
    }

    @Benchmark
    public @Nullable Value get() {
        return document.get(LAST);
    }

    @Benchmark
    public @Nullable Value getByUtf8() {
        return document.get(LAST_UTF8);
    }

    @Benchmark
    public int walk() {
        int sum = 0;
        for (var at = document.cursor(); at.next(); ) {
            sum += at.valueEnd() - at.valueStart();
        }
        return sum;
    }

    @Benchmark
    public RawDocument validate() {
        return BsonValidation.check(document.array(), document.offset(), document.offset() + document.length());
    }

    @Benchmark
    public RawDocument copy() {
        BsonWriter out = new BsonWriter(document.length());
        for (var at = document.cursor(); at.next(); ) {
            out.copy(at);
        }
        return out.finish();
    }

    @Benchmark
    public RawDocument write() {
        return document();
    }

    @Benchmark
    public RawDocument parseJson() {
        return Json.parse(json);
    }

    @Benchmark
    public String printJson() {
        return Json.canonical(document);
    }
}
