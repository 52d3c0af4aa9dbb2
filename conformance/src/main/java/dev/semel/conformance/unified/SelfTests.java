package dev.semel.conformance.unified;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The cases that test the runner: it has to fail them, each for the reason that {@code valid-fail.txt} gives. */
final class SelfTests {
    private static final String SUITE = "unified-test-format/valid-fail";
    private static final String SEPARATOR = " -- ";
    private static final Map<String, String> REASONS = read();

    private SelfTests() {}

    private static Map<String, String> read() {
        Map<String, String> reasons = new HashMap<>();
        try (InputStream in = Objects.requireNonNull(SelfTests.class.getResourceAsStream("valid-fail.txt"))) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> {
                        int separator = line.indexOf(SEPARATOR);
                        reasons.put(
                                SUITE + "/" + line.substring(0, separator),
                                line.substring(separator + SEPARATOR.length()));
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.copyOf(reasons);
    }

    static boolean contains(TestCase test) {
        return test.file().suite().equals(SUITE);
    }

    /** Why the failure is not the one that the case is there for, or null if it is. */
    static @Nullable AssertionError wrong(TestCase test, @Nullable Throwable failure) {
        String expected = REASONS.get(test.id());
        if (expected == null) {
            return new AssertionError("valid-fail.txt does not say how the runner has to fail this case", failure);
        }
        if (failure == null) {
            return new AssertionError("the runner should have failed this case: " + expected);
        }
        return String.valueOf(failure.getMessage()).contains(expected)
                ? null
                : new AssertionError("the runner should have failed this case with '" + expected + "'", failure);
    }
}
