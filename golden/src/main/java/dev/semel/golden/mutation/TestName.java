package dev.semel.golden.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A test of this module.
 *
 * @param text as the list has it, {@code Class} or {@code Class#method}
 * @param className with its package
 * @param method empty: all
 */
record TestName(String text, String className, String method) {
    private static final Path SOURCES = Path.of("src", "test", "java");

    /** Looks the test up in the sources. */
    static TestName of(String text) throws IOException {
        String[] parts = text.split("#", 2);
        List<Path> found;
        try (var files = Files.walk(SOURCES)) {
            found = files.filter(each -> each.endsWith(parts[0] + ".java")).toList();
        }
        if (found.size() != 1) {
            throw new AssertionError("there are " + found.size() + " tests " + parts[0] + ", not one");
        }
        Path file = found.getFirst();
        String method = parts.length == 1 ? "" : parts[1];
        if (!Files.readString(file).contains(method.isEmpty() ? "class " + parts[0] : " " + method + "(")) {
            throw new AssertionError("there is no test " + text);
        }
        String className =
                SOURCES.relativize(file).toString().replace(file.getFileSystem().getSeparator(), ".");
        return new TestName(text, className.substring(0, className.length() - ".java".length()), method);
    }
}
