package dev.semel.golden.mutation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * A module's list of deliberate faults, {@code src/test/resources/mutations.txt}. {@code ##} begins an area, {@code #} a fault;
 * then follow the file, the text that is there ({@code -}), the text in its place ({@code +}) and the tests that fail
 * ({@code !}) or why none does ({@code ?}).
 */
public final class Mutations {
    private final List<Mutation> all;

    private Mutations(List<Mutation> all) {
        this.all = all;
    }

    /** Those of the module whose tests are running. */
    public static Mutations ofThisModule() throws IOException {
        return read(Path.of(""));
    }

    public static Mutations read(Path module) throws IOException {
        Path file = module.resolve(Path.of("src", "test", "resources", "mutations.txt"));
        List<Mutation> all = new ArrayList<>();
        String area = "";
        for (String block : Files.readString(file).split("\n(?=#)", -1)) {
            if (block.startsWith("## ")) {
                area = block.lines().findFirst().orElseThrow().substring(3);
            } else if (block.startsWith("# ")) {
                all.add(mutation(area, block.lines().toList()));
            } else {
                throw new IllegalStateException(file + ": not a heading: " + block);
            }
        }
        return new Mutations(all);
    }

    private static Mutation mutation(String area, List<String> lines) {
        return new Mutation(
                area,
                lines.getFirst().substring(2),
                lines.get(1),
                String.join("\n", marked(lines, "-")),
                String.join("\n", marked(lines, "+")),
                marked(lines, "!"),
                String.join(" ", marked(lines, "?")));
    }

    private static List<String> marked(List<String> lines, String mark) {
        return lines.stream()
                .filter(line -> line.equals(mark) || line.startsWith(mark + " "))
                .map(line -> line.substring(Math.min(line.length(), 2)))
                .toList();
    }

    public List<Mutation> all() {
        return all;
    }

    /** Whether the list matches the code and its tests exist; takes no time. */
    public void check() throws IOException {
        for (Mutation each : all) {
            each.mutated();
            assertTrue(
                    each.tests().isEmpty() != each.reason().isEmpty(),
                    () -> "'" + each.name() + "' needs tests that fail, or a reason why none does");
            for (String test : each.tests()) {
                TestName.of(test);
            }
        }
    }

    /** First the tests with the code as it is, then with each fault. */
    public Stream<DynamicTest> tests() throws IOException {
        List<String> tests = all.stream()
                .flatMap(each -> each.tests().stream())
                .distinct()
                .sorted()
                .toList();
        return Stream.concat(
                Stream.of(
                        dynamicTest("without a fault", () -> assertEquals(List.of(), new MutantRun(tests).failing()))),
                all.stream().map(each -> dynamicTest(each.name(), () -> verify(each))));
    }

    private static void verify(Mutation mutation) throws IOException, InterruptedException {
        try (MutantRun run = new MutantRun(mutation)) {
            assertEquals(
                    mutation.tests(),
                    run.failing(),
                    () -> "the tests that fail with the fault '" + mutation.name() + "'");
        }
    }
}
