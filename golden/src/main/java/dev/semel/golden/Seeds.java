package dev.semel.golden;

import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Generated tests that can be repeated. {@code -Dseed=<number>} repeats one run; without it every run has a fresh seed. A
 * failure names the seed and the command that repeats it before anything else.
 */
public final class Seeds {
    private Seeds() {}

    /** A test body that draws everything it decides from the given random numbers. */
    @FunctionalInterface
    public interface Body {
        void run(Random random) throws Throwable;
    }

    /** Runs the body once, or as often as asked while no seed is given, each time with its own seed. */
    public static void check(int runs, Body body) {
        var test = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.skip(1).findFirst().orElseThrow());
        check(runs, given(System.getProperty("seed")), repeatCommand(test), body);
    }

    static void check(int runs, @Nullable Long given, String command, Body body) {
        if (given != null) {
            runOnce(given, command, body);
            return;
        }
        var fresh = RandomGenerator.getDefault();
        for (int run = 0; run < runs; run++) {
            runOnce(fresh.nextLong(), command, body);
        }
    }

    static @Nullable Long given(@Nullable String property) {
        return property == null || property.isBlank() ? null : Long.valueOf(property.strip());
    }

    private static void runOnce(long seed, String command, Body body) {
        try {
            body.run(new Random(seed));
        } catch (Throwable e) {
            throw new AssertionError("seed " + seed + "; repeat with: " + command + " -Dseed=" + seed + "\n" + e, e);
        }
    }

    private static String repeatCommand(StackWalker.StackFrame test) {
        var type = test.getDeclaringClass();
        // dev.semel.<module>.*: the package's third name is the module's.
        var names = type.getName().split("\\.", -1);
        var module = names.length > 3 ? " -pl " + names[2] + " -am" : "";
        var method = test.getMethodName().startsWith("lambda$") ? "" : "#" + test.getMethodName();
        return "mvn -Pquick test" + module + " -Dtest=" + type.getSimpleName() + method;
    }
}
