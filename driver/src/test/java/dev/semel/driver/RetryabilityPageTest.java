package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/retryability.md names every requirement once, and only proofs that exist. */
class RetryabilityPageTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().endsWith("driver") ? Path.of("..") : Path.of("");
    private static final Pattern ROW = Pattern.compile("\\| (\\w+-\\d+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|");
    private static final Pattern PROOF = Pattern.compile("`(\\w+)#(\\w+)`");

    /** With its annotation close before it, and no other test in between. */
    private static final String IS_TEST =
            "(?s)@(Parameterized)?Test(Factory)?\\s((?!@(Parameterized)?Test\\s).){0,900}?\\s(void|List<DynamicNode>) ";

    private static List<Matcher> rows() throws IOException {
        var rows = new ArrayList<Matcher>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/retryability.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.add(row);
            }
        }
        return rows;
    }

    private static Stream<String> ids(String kind, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(each -> kind + "-" + each);
    }

    @Test
    void everyRequirementIsListedOnce() throws IOException {
        assertThat(rows().stream().map(row -> row.group(1)))
                .containsExactlyElementsOf(Stream.of(ids("RW", 65), ids("RR", 50), ids("CUR", 23))
                        .flatMap(each -> each)
                        .toList());
    }

    @Test
    void whatIsMetHasProofThatExists() throws IOException {
        for (Matcher row : rows()) {
            assertThat(row.group(3)).as(row.group(1)).matches("met.*|not applicable: .+|not met: .+");
            Matcher proof = PROOF.matcher(row.group(4));
            int proofs = 0;
            while (proof.find()) {
                proofs++;
                assertThat(source(proof.group(1)))
                        .as("%s is proved by %s", row.group(1), proof.group())
                        .containsPattern(IS_TEST + proof.group(2) + "\\(");
            }
            if (row.group(3).startsWith("met")) {
                assertThat(proofs).as(row.group(1)).isPositive();
            }
        }
    }

    private static String source(String testClass) throws IOException {
        for (String module : List.of("driver", "conformance")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                Optional<Path> file =
                        files.filter(each -> each.endsWith(testClass + ".java")).findFirst();
                if (file.isPresent()) {
                    return Files.readString(file.get());
                }
            }
        }
        throw new AssertionError("there is no " + testClass);
    }
}
