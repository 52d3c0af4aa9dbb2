package dev.semel.blackpipe.audit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A program in any language, started by the shell, with the connection string in an environment variable. */
public final class ShellProgram implements Operation {
    private static final int SHOWN_CHARS_MAX = 2_000;

    private final String command;
    private final String variable;

    /** {@code variable} is the environment variable with the connection string. */
    public ShellProgram(String command, String variable) {
        this.command = command;
        this.variable = variable;
    }

    @Override
    public void run(String uri) throws IOException, InterruptedException, ProgramFailure {
        Path said = Files.createTempFile("semel-audit", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(shell())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .redirectInput(ProcessBuilder.Redirect.from(nothing()));
            builder.environment().put(variable, uri);
            Process process = builder.start();
            try {
                int code = process.waitFor();
                if (code != 0) {
                    throw new ProgramFailure("exit code " + code + "\n" + tail(said));
                }
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } finally {
            Files.deleteIfExists(said);
        }
    }

    private List<String> shell() {
        return isWindows() ? List.of("cmd", "/c", command) : List.of("/bin/sh", "-c", command);
    }

    private static java.io.File nothing() {
        return new java.io.File(isWindows() ? "NUL" : "/dev/null");
    }

    private static boolean isWindows() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
    }

    private static String tail(Path file) throws IOException {
        String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip();
        int from = all.length() - SHOWN_CHARS_MAX;
        return from <= 0 ? all : "...\n" + all.substring(all.indexOf('\n', from) + 1);
    }
}
