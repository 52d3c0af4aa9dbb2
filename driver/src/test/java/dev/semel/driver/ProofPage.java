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
import java.util.stream.Stream;

/** A page of tables that names for each requirement the tests that prove it. */
record ProofPage(List<Row> rows) {
    /** One line: which requirement, what, how it stands, and which tests prove it. */
    record Row(String id, String requirement, String state, List<Proof> proofs) {}

    record Proof(String testClass, String method) {
        /** Fails where there is no such test. */
        String source() throws IOException {
            String source = sourceOf(testClass);
            assertThat(source).as("%s#%s", testClass, method).containsPattern(IS_TEST + method + "\\(");
            return source;
        }
    }

    private static final Path ROOT = Path.of("").toAbsolutePath().endsWith("driver") ? Path.of("..") : Path.of("");
    private static final Pattern ROW = Pattern.compile("\\| ([A-Z]+-[\\w.-]+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|");
    private static final Pattern PROOF = Pattern.compile("`(\\w+)#(\\w+)`");

    /** With its annotation close before it, and no other test in between. */
    private static final String IS_TEST =
            "(?s)@(Parameterized)?Test(Factory)?\\s((?!@(Parameterized)?Test\\s).){0,2500}?\\s(void|List<DynamicNode>)"
                    + " ";

    static ProofPage read(String name) throws IOException {
        var rows = new ArrayList<Row>();
        for (String line : Files.readAllLines(ROOT.resolve("docs").resolve(name))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.add(new Row(row.group(1), row.group(2), row.group(3), proofs(row.group(4))));
            }
        }
        return new ProofPage(rows);
    }

    private static List<Proof> proofs(String text) {
        return PROOF.matcher(text)
                .results()
                .map(each -> new Proof(each.group(1), each.group(2)))
                .toList();
    }

    List<String> ids() {
        return rows.stream().map(Row::id).toList();
    }

    private static String sourceOf(String testClass) throws IOException {
        for (String module : List.of("driver", "conformance")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                Optional<Path> file = files.filter(
                                each -> each.getFileName().toString().equals(testClass + ".java"))
                        .findFirst();
                if (file.isPresent()) {
                    return Files.readString(file.get());
                }
            }
        }
        throw new AssertionError("there is no " + testClass);
    }
}
