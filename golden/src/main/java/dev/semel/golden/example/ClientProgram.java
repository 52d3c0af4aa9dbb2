package dev.semel.golden.example;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a reader runs an example with. Where it is not installed, the test that needs it is skipped and says so. */
public enum ClientProgram {
    /** The code is pasted at its prompt, so {@code use shop} works and a statement may have several lines. */
    MONGOSH {
        @Override
        @Nullable
        Path find() {
            Path onPath = onPath("mongosh");
            return onPath != null
                    ? onPath
                    : nodeModules()
                            .map(each -> each.resolve(".bin/mongosh"))
                            .filter(Files::isExecutable)
                            .findFirst()
                            .orElse(null);
        }

        @Override
        List<String> words(String uri, String code) {
            return List.of("--quiet", "--norc", uri);
        }

        @Override
        boolean readsInput() {
            return true;
        }

        @Override
        boolean failed(String output) {
            return output.contains("Uncaught") || output.contains("MongoNetworkError") || output.contains("Error: ");
        }
    },

    /** With MongoDB's driver, which {@code NODE_PATH} has to name unless it is installed for all. */
    NODE {
        @Override
        @Nullable
        Path find() {
            Path node = onPath("node");
            return node != null && succeeds(node, "-e", "require('mongodb')") ? node : null;
        }

        @Override
        List<String> words(String uri, String code) {
            return List.of("-e", code);
        }
    },

    /** With PyMongo. */
    PYTHON {
        @Override
        @Nullable
        Path find() {
            Path python = Path.of("/usr/bin/python3");
            return Files.isExecutable(python) && succeeds(python, "-c", "import pymongo") ? python : null;
        }

        @Override
        List<String> words(String uri, String code) {
            return List.of("-c", code);
        }
    },

    /** The system's shell; ends at the first command that fails. */
    SHELL {
        @Override
        @Nullable
        Path find() {
            return onPath("bash");
        }

        @Override
        List<String> words(String uri, String code) {
            return List.of("-e", "-c", code);
        }
    };

    private static final long SECONDS_MAX = 60;

    /** What it printed, errors included. The code is not 0 if anything went wrong, also what a shell only prints. */
    public record Said(int exitCode, String output) {}

    /** Null if it is not installed. */
    @Nullable
    abstract Path find();

    abstract List<String> words(String uri, String code);

    boolean readsInput() {
        return false;
    }

    boolean failed(String output) {
        return false;
    }

    /** Skips the test where it is not installed. */
    public void assume() {
        if (find() == null) {
            System.err.println("SKIPPED: " + name() + " is not installed");
            abort(name() + " is not installed");
        }
    }

    /** Runs the code, which finds the connection string also in {@code MONGODB_URI}; skips the test if it cannot. */
    public Said run(String uri, String code) throws IOException {
        return run(uri, code, Example.root());
    }

    /** The same in a folder. */
    public Said run(String uri, String code, Path folder) throws IOException {
        assume();
        List<String> words = new ArrayList<>();
        words.add(String.valueOf(find()));
        words.addAll(words(uri, code));
        Path output = Files.createTempFile("example", ".out");
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.directory(folder.toFile());
        builder.environment().put("MONGODB_URI", uri);
        Path mongosh = MONGOSH.find();
        if (mongosh != null) {
            builder.environment().merge("PATH", String.valueOf(mongosh.getParent()), (path, more) -> path + ":" + more);
        }
        Process process = builder.start();
        try {
            try (var in = process.getOutputStream()) {
                if (readsInput()) {
                    in.write(code.getBytes(StandardCharsets.UTF_8));
                }
            }
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new AssertionError("the example does not end:\n" + Files.readString(output));
            }
            String said = Files.readString(output);
            return new Said(process.exitValue() == 0 && failed(said) ? 1 : process.exitValue(), said);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            Files.deleteIfExists(output);
        }
    }

    private static @Nullable Path onPath(String name) {
        return folders("PATH")
                .map(each -> each.resolve(name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    private static Stream<Path> nodeModules() {
        return folders("NODE_PATH");
    }

    private static Stream<Path> folders(String variable) {
        String folders = System.getenv().getOrDefault(variable, "");
        return Stream.of(folders.split(":")).filter(each -> !each.isEmpty()).map(Path::of);
    }

    private static boolean succeeds(Path program, String... words) {
        List<String> all = new ArrayList<>(List.of(program.toString()));
        all.addAll(List.of(words));
        try {
            return new ProcessBuilder(all)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
