package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shells themselves say what they complete; one that is not installed is skipped. */
class CompletionTest {
    @TempDir
    private Path folder;

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        assertThat(run("bash", "bash", """
            complete -p semel >&2
            ask() {
                COMP_WORDS=("$@")
                COMP_CWORD=$(($# - 1))
                COMPREPLY=()
                _complete_semel
                echo "${COMPREPLY[@]}"
            }
            ask semel ser
            ask semel serve --dbp
            ask semel export --jsonF
            """)).containsExactly("serve", "--dbpath", "--jsonFormat");
    }

    @Test
    void zshKnowsTheCommand() throws Exception {
        assertThat(run("zsh", "zsh", "print -- $+functions[_complete_semel] $+_comps[semel]\n"))
                .containsExactly("1 1");
    }

    @Test
    void fishCompletesCommandsAndOptions() throws Exception {
        assertThat(run("fish", "fish", """
            complete -C 'semel ser' | string split -f1 \\t
            complete -C 'semel serve --dbp' | string split -f1 \\t
            complete -C 'semel export --jsonF' | string split -f1 \\t
            """)).containsExactly("serve", "--dbpath", "--jsonFormat");
    }

    private List<String> run(String shell, String form, String questions) throws Exception {
        assumeTrue(
                Stream.of("/bin", "/usr/bin", "/usr/local/bin")
                        .anyMatch(each -> Files.isExecutable(Path.of(each, shell))),
                shell + " is not installed");
        var script = Files.writeString(folder.resolve("script"), completion(form) + questions);
        var process = new ProcessBuilder(shell, script.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .directory(folder.toFile())
                .start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().toList();
    }

    private static String completion(String form) throws IOException {
        var said = new StringWriter();
        var main = Main.commandLine(Map.of());
        main.getSubcommands().values().forEach(each -> each.setOut(new PrintWriter(said, true)));
        assertThat(main.execute(Completion.NAME, form)).isZero();
        return said.toString();
    }
}
