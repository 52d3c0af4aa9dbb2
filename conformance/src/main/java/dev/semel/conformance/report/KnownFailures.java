package dev.semel.conformance.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The checked-in list of cases that fail, each with its reason. It may only shrink: a case that fails and is not here
 * breaks the build, and so does one that is here and passes. The reason of one that passes at times begins with a
 * {@code ~}.
 */
public final class KnownFailures {
    private static final String SEPARATOR = " -- ";
    private static final String FLAKY = "~";

    /** Reasons by case, by run. */
    private final Map<String, Map<String, String>> byRun = new TreeMap<>();

    private final StringBuilder preamble = new StringBuilder();

    public static KnownFailures read(Path file) throws IOException {
        KnownFailures known = new KnownFailures();
        Map<String, String> run = null;
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("# ")) {
                if (run == null) {
                    known.preamble.append(line).append('\n');
                }
            } else if (line.startsWith("[") && line.endsWith("]")) {
                run = new TreeMap<>();
                known.byRun.put(line.substring(1, line.length() - 1), run);
            } else if (!line.isBlank()) {
                int separator = line.lastIndexOf(SEPARATOR);
                if (run == null || separator < 0) {
                    throw new IllegalStateException(file + ": not 'case -- reason': " + line);
                }
                run.put(line.substring(0, separator), line.substring(separator + SEPARATOR.length()));
            }
        }
        return known;
    }

    public @Nullable String reason(String run, String test) {
        return of(run).get(test);
    }

    public boolean isFlaky(String run, String test) {
        String reason = reason(run, test);
        return reason != null && reason.startsWith(FLAKY);
    }

    /** Reasons by case. */
    public Map<String, String> of(String run) {
        return Collections.unmodifiableMap(byRun.getOrDefault(run, Map.of()));
    }

    public void add(String run, String test, String reason) {
        byRun.computeIfAbsent(run, absent -> new TreeMap<>())
                .putIfAbsent(test, reason.lines().findFirst().orElse("").replace(SEPARATOR, " - "));
    }

    public void remove(String run, String test) {
        Map<String, String> cases = byRun.get(run);
        if (cases != null) {
            cases.remove(test);
        }
    }

    public void write(Path file) throws IOException {
        StringBuilder text = new StringBuilder(preamble);
        byRun.forEach((run, cases) -> {
            text.append("\n[").append(run).append("]\n");
            cases.forEach((test, reason) ->
                    text.append(test).append(SEPARATOR).append(reason).append('\n'));
        });
        Files.writeString(file, text);
    }
}
