package dev.semel.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class GoldenScriptsTest {
    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> scriptsOfThisModule() {
        return GoldenScripts.named("upper").run(() -> GoldenScriptsTest::upper);
    }

    private static String upper(String input) {
        if (input.startsWith("throw ")) {
            throw new IllegalArgumentException(input.substring("throw ".length()));
        }
        return input.toUpperCase(Locale.ROOT);
    }

    @Test
    void matchingOutputPasses() throws Throwable {
        script("# shout\n> a\nA\n\n> b\n> c\nB\nC\n");
        runAll(GoldenScripts.in(folder).rewriting(false));
    }

    @Test
    void differenceNamesFileLineAndBothOutputs() throws IOException {
        var path = script("# shout\n\n> a\n> b\nA\nX\n");
        assertThatThrownBy(() -> runAll(GoldenScripts.in(folder).rewriting(false)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(path + ":3\n", "> a\n", "    A\n", "- X\n", "+ B\n", "-Drewrite");
    }

    @Test
    void rewriteReplacesOnlyExpectedOutput() throws Throwable {
        var path = script("# shout\n\n> a\nwrong\nwrong too\n# next\n> b\n\n>\n> c\n");
        runAll(GoldenScripts.in(folder).rewriting(true));
        assertThat(path).hasContent("# shout\n\n> a\nA\n# next\n> b\nB\n\n>\n> c\n.\nC\n");
    }

    @Test
    void rewrittenScriptPasses() throws Throwable {
        // Output that looks like a comment, an input or an empty line must not change how the script reads.
        script("> # a\n>\n> > b\n> c\n");
        runAll(GoldenScripts.in(folder).rewriting(true));
        runAll(GoldenScripts.in(folder).rewriting(false));
    }

    @Test
    void exceptionBecomesOutput() throws Throwable {
        script("> throw no such thing\nerror: no such thing\n");
        runAll(GoldenScripts.in(folder).rewriting(false));
    }

    @Test
    void outputBeforeAnyInputIsRefused() throws IOException {
        script("# shout\nA\n");
        assertThatThrownBy(() -> runAll(GoldenScripts.in(folder).rewriting(false)))
                .hasMessageContaining("line 2");
    }

    @Test
    void emptyFolderIsRefused() {
        // A mistyped folder would otherwise be a test that never fails.
        assertThatThrownBy(() -> runAll(GoldenScripts.in(folder))).hasMessageContaining("no scripts");
    }

    @Test
    void everyFileGetsItsOwnInterpreterAndCloseIsCalled() throws Throwable {
        Files.writeString(folder.resolve("a.txt"), "> x\n1\n\n> x\n2\n");
        Files.writeString(folder.resolve("b.txt"), "> x\n1\n");
        var closed = new ArrayList<Counter>();
        runAll(GoldenScripts.in(folder).rewriting(false), () -> new Counter(closed));
        assertThat(closed).hasSize(2);
    }

    @Test
    void rewriteNeedsToBeAskedFor() {
        assertThat(GoldenScripts.isRewriteRequested(null)).isFalse();
        assertThat(GoldenScripts.isRewriteRequested("false")).isFalse();
        assertThat(GoldenScripts.isRewriteRequested("true")).isTrue();
        assertThat(GoldenScripts.isRewriteRequested("")).isTrue();
    }

    private static final class Counter implements Function<String, String>, AutoCloseable {
        private final List<Counter> closed;
        private int count;

        Counter(List<Counter> closed) {
            this.closed = closed;
        }

        @Override
        public String apply(String input) {
            count++;
            return Integer.toString(count);
        }

        @Override
        public void close() {
            closed.add(this);
        }
    }

    private Path script(String text) throws IOException {
        return Files.writeString(folder.resolve("case.txt"), text);
    }

    private static void runAll(GoldenScripts scripts) throws Throwable {
        runAll(scripts, () -> GoldenScriptsTest::upper);
    }

    private static void runAll(GoldenScripts scripts, Supplier<? extends Function<String, String>> interpreters)
            throws Throwable {
        for (var test : scripts.run(interpreters).toList()) {
            test.getExecutable().execute();
        }
    }
}
