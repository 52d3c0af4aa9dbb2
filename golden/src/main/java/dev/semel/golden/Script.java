package dev.semel.golden;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One script: its parts in order, so that writing it back changes nothing but expected output. */
record Script(List<Part> parts) {
    private static final String INPUT = "> ";
    private static final String COMMENT = "#";

    sealed interface Part {}

    /** A comment or an empty line, kept as it is. */
    record Verbatim(String line) implements Part {}

    /** Input lines without their mark, and the output expected after them; {@code line} counts from 1. */
    record Case(int line, List<String> input, List<String> expected) implements Part {}

    static Script parse(String text) {
        var lines = text.lines().toList();
        var parts = new ArrayList<Part>();
        int next = 0;
        while (next < lines.size()) {
            if (!isInput(lines.get(next))) {
                parts.add(verbatim(lines.get(next), next + 1));
                next++;
                continue;
            }
            int output = next;
            while (output < lines.size() && isInput(lines.get(output))) {
                output++;
            }
            int end = output;
            while (end < lines.size() && isOutput(lines.get(end))) {
                end++;
            }
            var input =
                    lines.subList(next, output).stream().map(Script::unmarked).toList();
            parts.add(new Case(next + 1, input, List.copyOf(lines.subList(output, end))));
            next = end;
        }
        return new Script(List.copyOf(parts));
    }

    private static Verbatim verbatim(String line, int number) {
        if (isOutput(line)) {
            throw new IllegalArgumentException(
                    "line " + number + ": expected output without an input before it: " + line);
        }
        return new Verbatim(line);
    }

    private static boolean isInput(String line) {
        return line.startsWith(INPUT) || line.equals(">");
    }

    private static boolean isOutput(String line) {
        return !line.isBlank() && !line.startsWith(COMMENT) && !isInput(line);
    }

    private static String unmarked(String line) {
        return line.length() <= INPUT.length() ? "" : line.substring(INPUT.length());
    }

    List<String> inputs() {
        return parts.stream()
                .filter(Case.class::isInstance)
                .map(each -> String.join("\n", ((Case) each).input()))
                .toList();
    }

    /** The same script with the interpreter's answers as expected output. */
    Script answeredBy(Function<String, String> interpreter) {
        return new Script(
                parts.stream().map(part -> answered(part, interpreter)).toList());
    }

    private static Part answered(Part part, Function<String, String> interpreter) {
        return switch (part) {
            case Verbatim verbatim -> verbatim;
            case Case(int line, var input, var expected) ->
                new Case(line, input, outputLines(answer(String.join("\n", input), interpreter)));
        };
    }

    private static String answer(String input, Function<String, String> interpreter) {
        try {
            return interpreter.apply(input);
        } catch (RuntimeException e) {
            return "error: " + (e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    // What would read back as an input, a comment or the end of the output is indented, so a rewritten script stays
    // one.
    private static List<String> outputLines(String answer) {
        return answer.lines()
                .map(String::stripTrailing)
                .map(line -> line.isEmpty() ? "." : isOutput(line) ? line : " " + line)
                .toList();
    }

    /** What differs, one entry per case, each headed by file and line. */
    List<String> differencesTo(Script actual, String file) {
        var differences = new ArrayList<String>();
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) instanceof Case wanted
                    && actual.parts.get(i) instanceof Case got
                    && !wanted.expected.equals(got.expected)) {
                differences.add(difference(wanted, got, file));
            }
        }
        return differences;
    }

    private static String difference(Case wanted, Case got, String file) {
        var text = new StringBuilder("\n")
                .append(file)
                .append(':')
                .append(wanted.line)
                .append('\n');
        wanted.input.forEach(line -> text.append("  > ").append(line).append('\n'));
        LineDiff.of(wanted.expected, got.expected)
                .forEach(line -> text.append("  ").append(line).append('\n'));
        return text.toString();
    }

    String text() {
        var text = new StringBuilder();
        for (var part : parts) {
            switch (part) {
                case Verbatim(var line) -> text.append(line).append('\n');
                case Case(int line, var input, var expected) -> {
                    input.forEach(
                            each -> text.append((INPUT + each).stripTrailing()).append('\n'));
                    expected.forEach(each -> text.append(each).append('\n'));
                }
            }
        }
        return text.toString();
    }
}
