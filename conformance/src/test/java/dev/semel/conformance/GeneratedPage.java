package dev.semel.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page for users with a part that the code says. With {@code -Drewrite} that part is written anew. */
final class GeneratedPage {
    private static final String BEGIN = "<!-- generated: -Drewrite writes it -->\n";
    private static final String END = "<!-- end -->\n";

    private final Path file;

    private GeneratedPage(Path file) {
        this.file = file;
    }

    /** A page in {@code docs}. */
    static GeneratedPage named(String name) {
        return new GeneratedPage(Path.of("..", "docs", name));
    }

    void check(String generated) throws IOException {
        var page = Files.readString(file);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END, begin);
        assertThat(end).as("the marks of the generated part in " + file).isGreaterThanOrEqualTo(begin);
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(file, page.substring(0, begin) + generated + page.substring(end));
            return;
        }
        assertThat(page.substring(begin, end))
                .as("%s; -Drewrite writes it", file)
                .isEqualTo(generated);
    }
}
