package dev.semel.samples.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.example.Example;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The projects of docs/testing.md work as they are pasted, with each version that the page names. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProjectsTest {
    private static final Pattern CLASS = Pattern.compile("^class (\\w+) ", Pattern.MULTILINE);
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

    private List<Example> page = List.of();
    private ReaderMaven maven;

    @BeforeAll
    void readPage(@TempDir Path repository) throws IOException {
        page = Example.on("docs/testing.md");
        maven = new ReaderMaven(repository);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1.3", "5.12.2"})
    void junit(String version, @TempDir Path project) throws IOException, InterruptedException {
        paste(project, "orders", "6.1.3", version, "OrdersTest", "LostReplyTest", "VisitsTest");
        maven.test(project);
        assertThat(testsRun(project, "OrdersTest")).isEqualTo(1);
        assertThat(testsRun(project, "LostReplyTest")).isEqualTo(1);
        assertThat(testsRun(project, "VisitsTest")).isGreaterThan(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.5.7", "4.0.0"})
    void springBoot(String version, @TempDir Path project) throws IOException, InterruptedException {
        paste(project, "places", "3.5.7", version, "PlacesTest");
        maven.test(project);
        assertThat(testsRun(project, "org.example.PlacesTest")).isEqualTo(1);
    }

    /** The page's project of this name, with another version of what it is tested with. */
    private void paste(Path project, String artifact, String printed, String version, String... tests)
            throws IOException {
        String pom = only("xml", "<artifactId>" + artifact + "</artifactId>");
        assertThat(pom).containsOnlyOnce("<version>" + printed + "</version>");
        Files.writeString(project.resolve("pom.xml"), pom.replace(printed, version));
        for (String test : tests) {
            String code = only("java", "\nclass " + test + " ");
            Path file = project.resolve("src/test/java").resolve(path(code));
            Files.createDirectories(file.getParent());
            Files.writeString(file, code);
        }
    }

    private String only(String language, String text) {
        List<Example> found = page.stream()
                .filter(each -> each.language().equals(language) && each.code().contains(text))
                .toList();
        assertThat(found).as(text).hasSize(1);
        return found.getFirst().code();
    }

    private static String path(String code) {
        Matcher named = CLASS.matcher(code);
        assertThat(named.find()).isTrue();
        Matcher inPackage = PACKAGE.matcher(code);
        String folder = inPackage.find() ? inPackage.group(1).replace('.', '/') + "/" : "";
        return folder + named.group(1) + ".java";
    }

    private static int testsRun(Path project, String test) throws IOException {
        String report = Files.readString(project.resolve("target/surefire-reports/TEST-" + test + ".xml"));
        Matcher tests = Pattern.compile("tests=\"(\\d+)\"").matcher(report);
        assertThat(tests.find()).isTrue();
        return Integer.parseInt(tests.group(1));
    }
}
