package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.example.Example;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The POM that users import for the versions of all modules. */
class BomTest {
    private static final String BOM = "bom";

    /** The program is not a library. */
    private static final String PROGRAM = "cli";

    @Test
    void namesEveryModuleThatShips() throws IOException {
        var shipped = texts("pom.xml", "<module>(.*?)</module>").stream()
                .filter(module -> !module.equals(BOM) && !module.equals(PROGRAM) && ships(module))
                .map(module -> "semel-" + module)
                .toList();
        assertThat(texts(BOM + "/pom.xml", "<artifactId>(semel-.*?)</artifactId>"))
                .filteredOn(each -> !each.equals("semel-bom"))
                .containsExactlyInAnyOrderElementsOf(shipped);
    }

    @Test
    void hasTheVersionOfTheModules() throws IOException {
        var version = "<artifactId>semel-(?:bom|parent)</artifactId>\\s*<version>(.*?)</version>";
        assertThat(texts(BOM + "/pom.xml", version)).isEqualTo(texts("pom.xml", version));
    }

    private static boolean ships(String module) {
        try {
            return texts(module + "/pom.xml", "<maven.deploy.skip>(true)<").isEmpty();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> texts(String pom, String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(Example.root().resolve(pom)))
                .results()
                .map(each -> each.group(1))
                .toList();
    }
}
