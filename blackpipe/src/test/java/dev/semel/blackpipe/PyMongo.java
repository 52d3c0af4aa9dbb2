package dev.semel.blackpipe;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Programs for Python's driver. Where it is not installed, the test that needs it is skipped and says so. */
public final class PyMongo {
    private static final String PYTHON = "/usr/bin/python3";

    private PyMongo() {}

    /** Skips the test where there is no PyMongo. */
    public static void assume() throws IOException {
        try {
            if (new ProcessBuilder(PYTHON, "-c", "import pymongo").start().waitFor() != 0) {
                skip();
            }
        } catch (IOException e) {
            skip();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static void skip() {
        System.err.println("SKIPPED: " + PYTHON + " with PyMongo is needed");
        abort(PYTHON + " with PyMongo is needed");
    }

    /** What the program prints; arguments are in {@code sys.argv}. */
    public static String run(String program, String argument) throws IOException {
        Process process = new ProcessBuilder(PYTHON, "-c", program, argument)
                .redirectErrorStream(true)
                .start();
        try (var out = process.getInputStream()) {
            String said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new AssertionError("the program does not end");
            }
            return said.strip();
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException(e);
    }
}
