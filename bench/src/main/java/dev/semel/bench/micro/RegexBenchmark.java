package dev.semel.bench.micro;

import dev.semel.query.regex.Regex;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Whether a string matches, by this project's engine and by the JDK's; what is looked for stands at the string's end. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class RegexBenchmark {
    private static final String WORDS = "the quick brown fox ";

    @Param({"^the q", "jumps", "(?i)JUMPS", "cat|dog|jumps", "jumps$", "^.*jumps$", "[a-z]+s$", "j\\w+s"})
    String pattern = "";

    @Param({"20", "1000"})
    int length;

    private String text = "";
    private Regex own = Regex.compile("", "");
    private Pattern jdk = Pattern.compile("");

    @Setup
    public void prepare() {
        text = WORDS.repeat(length / WORDS.length()).substring(0, length - "jumps".length()) + "jumps";
        own = Regex.compile(pattern, "");
        jdk = Pattern.compile(pattern);
    }

    @Benchmark
    public boolean own() {
        return own.search(text, () -> {}).find();
    }

    @Benchmark
    public boolean jdk() {
        return jdk.matcher(text).find();
    }
}
