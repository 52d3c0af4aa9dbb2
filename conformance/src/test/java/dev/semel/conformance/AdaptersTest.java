package dev.semel.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the adapters of the two drivers have in common is written once, for the official driver; {@code -Drewrite} makes the
 * other of it, with other imports. So each change of the one comes to the other, and moving from the one driver to the other
 * stays a change of imports. {@code Dialect} of each package has the rest.
 */
class AdaptersTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/semel/conformance");

    /** The packages of the official driver and where the same is in ours; the longest comes first. */
    private static final List<Map.Entry<String, String>> PACKAGES = List.of(
            Map.entry("com.mongodb.client.model.changestream.", "dev.semel.driver.model.changestream."),
            Map.entry("com.mongodb.client.model.bulk.", "dev.semel.driver.model."),
            Map.entry("com.mongodb.client.model.", "dev.semel.driver.model."),
            Map.entry("com.mongodb.client.result.", "dev.semel.driver.model."),
            Map.entry("com.mongodb.client.", "dev.semel.driver."),
            Map.entry("com.mongodb.bulk.", "dev.semel.driver.model."),
            Map.entry("com.mongodb.", "dev.semel.driver.setting."));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Aggregates",
                "BulkWrites",
                "ChangeStreams",
                "ClientBulkWrites",
                "CollectionEntity",
                "CollectionIndexes",
                "CollectionReads",
                "CollectionWrites",
                "FindAndModify",
                "Results"
            })
    void ownAdapterIsTheOfficialOneWithOtherImports(String name) throws IOException {
        Path own = SOURCES.resolve("own").resolve(name + ".java");
        String expected = moved(Files.readString(SOURCES.resolve("official").resolve(name + ".java")));
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(own, expected);
        }
        assertThat(own).hasContent(expected);
    }

    private static String moved(String official) {
        String own = official.replace("package dev.semel.conformance.official;", "package dev.semel.conformance.own;");
        for (Map.Entry<String, String> each : PACKAGES) {
            own = own.replace("import " + each.getKey(), "import " + each.getValue());
        }
        List<String> imports =
                own.lines().filter(line -> line.startsWith("import dev.")).toList();
        // They stand together, before those of java and org.
        int end = own.indexOf(imports.getLast()) + imports.getLast().length();
        return own.substring(0, own.indexOf(imports.getFirst()))
                + imports.stream().sorted(Comparator.naturalOrder()).collect(Collectors.joining("\n"))
                + own.substring(end);
    }
}
