package dev.semel.golden.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One deliberate fault, a mutant.
 *
 * @param area the code that it concerns, a heading of the list
 * @param name what goes wrong, in a few words
 * @param file the source file, from the folder of sources; one of another module behind that module's name and a colon
 * @param from the text to replace; white space matches any other
 * @param to the replacement
 * @param tests those that fail with it, {@code Class} or {@code Class#method}; none if it survives
 * @param reason why no test can detect it; empty if there are tests
 */
public record Mutation(
        String area, String name, String file, String from, String to, List<String> tests, String reason) {
    private static final Path SOURCES = Path.of("src", "main", "java");

    /** The source file with the fault in it. */
    String mutated() throws IOException {
        String source = Files.readString(module().resolve(SOURCES).resolve(path()));
        Matcher matcher = pattern().matcher(source);
        List<MatchResult> found = matcher.results().toList();
        if (found.size() != 1) {
            throw new AssertionError(
                    "'" + name + "': its text is in " + file + " " + found.size() + " times, not once: " + from);
        }
        MatchResult at = found.getFirst();
        return source.substring(0, at.start()) + to + source.substring(at.end());
    }

    /** The folder of the module that has the file, from that of the module whose tests are running. */
    private Path module() {
        int colon = file.indexOf(':');
        return colon < 0 ? Path.of("") : Path.of("..", file.substring(0, colon));
    }

    /** The source file, from the folder of sources of its module. */
    String path() {
        return file.substring(file.indexOf(':') + 1);
    }

    private Pattern pattern() {
        return Pattern.compile(
                Stream.of(from.strip().split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+")));
    }
}
