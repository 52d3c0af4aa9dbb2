package dev.semel.driver.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/** Where the published driver specification tests are: the folder that SPEC_TESTS names. */
public final class SpecTests {
    private SpecTests() {}

    /** A file of a suite; the name is relative to the suite's folder. */
    public record File(String name, BsonDocument content) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** The files of a folder and those below it; skips the test where the data is not there, but not in continuous integration. */
    public static List<File> in(String suite) {
        String root = System.getenv("SPEC_TESTS");
        if (root == null) {
            assertThat(System.getenv("CI"))
                    .as("continuous integration runs the driver specification tests: SPEC_TESTS names their folder")
                    .isNull();
            abort("SPEC_TESTS does not name the folder with the driver specification tests: " + suite + " is not run");
        }
        Path folder = Path.of(String.valueOf(root), suite);
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(each -> each.toString().endsWith(".json"))
                    .sorted()
                    .map(each -> new File(folder.relativize(each).toString(), read(each)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BsonDocument read(Path file) {
        try {
            return BsonDocument.parse(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
