package dev.semel.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A page for users with a part that the code says. With {@code -Drewrite} that part is written again. */
public final class GeneratedPage {
    private static final String BEGIN = "<!-- generated: -Drewrite writes it -->\n";
    private static final Pattern NOTHING = Pattern.compile("(?!)");
    private static final String END = "<!-- end -->\n";

    private final Path file;

    private GeneratedPage(Path file) {
        this.file = file;
    }

    /** A page in {@code docs}. */
    public static GeneratedPage named(String name) {
        return new GeneratedPage(Path.of("..", "docs", name));
    }

    public void check(String generated) throws IOException {
        check(generated, NOTHING);
    }

    /** Does not compare what matches the pattern: it differs from run to run, and the page keeps what it has. */
    public void check(String generated, Pattern varying) throws IOException {
        var page = Files.readString(file);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END, begin);
        assertTrue(end >= begin, () -> "no marks of a generated part in " + file);
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(file, page.substring(0, begin) + generated + page.substring(end));
            return;
        }
        compare(without(varying, page.substring(begin, end)), without(varying, generated));
    }

    /** The first line that differs is enough: whole pages would hide the other failures of a build. */
    private void compare(String page, String generated) {
        List<String> is = page.lines().toList();
        List<String> asked = generated.lines().toList();
        int same = 0;
        while (same < Math.min(is.size(), asked.size()) && is.get(same).equals(asked.get(same))) {
            same++;
        }
        assertEquals(
                line(asked, same),
                line(is, same),
                file + " is out of date from line " + (same + 1) + " of its generated part on; -Drewrite writes it");
    }

    private static String line(List<String> lines, int index) {
        return index < lines.size() ? lines.get(index) : "(the end)";
    }

    private static String without(Pattern varying, String text) {
        return varying.matcher(text).replaceAll("");
    }
}
