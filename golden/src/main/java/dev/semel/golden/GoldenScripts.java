package dev.semel.golden;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;

/**
 * Text scripts whose expected output stands beside the input: the cheapest way to add a case and to read it later.
 *
 * <p>A script is a text file of comments, inputs and expected outputs:
 *
 * <pre>{@code
 * # Numbers compare across types.
 * > {a: 1}
 * > {a: {$eq: 1.0}}
 * true
 * }</pre>
 *
 * <p>Consecutive lines that begin with {@code > } are one input, handed to the interpreter joined by line breaks. What
 * follows, up to the next empty line, {@code > } or {@code # }, is the expected output. Lines that begin with {@code #}
 * are comments. Each input of a file goes to the same interpreter, in order, so a script can have several steps. If an
 * interpreter throws, the output is {@code error: } and the message.
 *
 * <p>With {@code -Drewrite} the tests write what they got into the script, in {@code src/test/resources}: to add a case,
 * write the input, run, and read the diff.
 */
public final class GoldenScripts {
    private static final String EXTENSION = ".txt";

    private final Path folder;
    private final boolean rewrite;

    private GoldenScripts(Path folder, boolean rewrite) {
        this.folder = folder;
        this.rewrite = rewrite;
    }

    /** The scripts below a folder, given relative to the module: {@code src/test/resources/scripts/filter}. */
    public static GoldenScripts in(Path folder) {
        return new GoldenScripts(folder, isRewriteRequested(System.getProperty("rewrite")));
    }

    /** The scripts below {@code src/test/resources/scripts} and the given name. */
    public static GoldenScripts named(String name) {
        return in(Path.of("src", "test", "resources", "scripts").resolve(name));
    }

    GoldenScripts rewriting(boolean on) {
        return new GoldenScripts(folder, on);
    }

    // Surefire hands on an undefined property as an empty one, and Maven turns a bare -Drewrite into "true".
    static boolean isRewriteRequested(@Nullable String property) {
        return property != null && (property.isEmpty() || Boolean.parseBoolean(property));
    }

    /** One test per script; the supplier is asked for a fresh interpreter for each. */
    public Stream<DynamicTest> run(Supplier<? extends Function<String, String>> interpreters) {
        return runEach(script -> interpreters.get());
    }

    /** One test per script; the interpreter may depend on the script's path. Close it with the test if it is closeable. */
    public Stream<DynamicTest> runEach(Function<Path, ? extends Function<String, String>> interpreters) {
        return scripts().stream()
                .map(path -> DynamicTest.dynamicTest(
                        folder.relativize(path).toString(), path.toUri(), () -> check(path, interpreters)));
    }

    /** One test per script, of all its inputs; what is expected of them does not matter. */
    public Stream<DynamicTest> inputs(Consumer<List<String>> test) {
        return scripts().stream()
                .map(path -> DynamicTest.dynamicTest(
                        folder.relativize(path).toString(),
                        path.toUri(),
                        () -> test.accept(Script.parse(Files.readString(path)).inputs())));
    }

    private List<Path> scripts() {
        try (var files = Files.walk(folder)) {
            var scripts = files.filter(file -> file.toString().endsWith(EXTENSION))
                    .sorted()
                    .toList();
            if (scripts.isEmpty()) {
                throw new IllegalStateException("no scripts in " + folder.toAbsolutePath());
            }
            return scripts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void check(Path path, Function<Path, ? extends Function<String, String>> interpreters) throws Exception {
        var interpreter = interpreters.apply(path);
        try {
            check(path, Script.parse(Files.readString(path)), interpreter);
        } finally {
            if (interpreter instanceof AutoCloseable closeable) {
                closeable.close();
            }
        }
    }

    private void check(Path path, Script script, Function<String, String> interpreter) throws IOException {
        var actual = script.answeredBy(interpreter);
        if (rewrite) {
            Files.writeString(path, actual.text());
            return;
        }
        var differences = script.differencesTo(actual, path.toString());
        if (!differences.isEmpty()) {
            throw new AssertionError(String.join("\n", differences)
                    + "\nIf the new output is right, run again with -Drewrite and read the diff.\n");
        }
    }
}
