package dev.semel.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.JavaFormatterOptions.Style;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every source file is formatted, so that nobody talks about formatting. A test rather than a build plugin: the formatter
 * reads Java 21 only on a JDK that knows it, and tests run on the one the build selected, whichever runs Maven.
 */
@Tag("format")
class SourceFormatTest {
    private static final Formatter FORMATTER = Formatter.createFormatter(
            JavaFormatterOptions.builder().style(Style.PALANTIR).build());

    @Test
    void everySourceFileIsFormatted() throws IOException {
        var root = Path.of("..").toAbsolutePath().normalize();
        var unformatted = sourceFiles(root).parallelStream()
                .filter(file -> !isFormatted(file))
                .map(file -> root.relativize(file).toString())
                .sorted()
                .toList();
        assertThat(unformatted)
                .as("Not formatted; dev/format does it. In order of path:")
                .isEmpty();
    }

    private static List<Path> sourceFiles(Path root) throws IOException {
        // Modules, and one level further down the samples.
        try (var folders = Files.walk(root, 2)) {
            return folders.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(SourceFormatTest::javaFiles)
                    .toList();
        }
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFormatted(Path file) {
        try {
            var source = Files.readString(file);
            var formatted = FORMATTER.formatSourceAndFixImports(source);
            if (Boolean.getBoolean("rewrite") && !formatted.equals(source)) {
                Files.writeString(file, formatted);
                return true;
            }
            return formatted.equals(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (FormatterException e) {
            throw new AssertionError(file + ": " + e.getMessage(), e);
        }
    }
}
