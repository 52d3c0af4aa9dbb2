package dev.semel.blackpipe.report;

import dev.semel.blackpipe.audit.AuditReport;
import dev.semel.blackpipe.audit.Finding;
import dev.semel.blackpipe.audit.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A table for a terminal, followed by advice for each line that is not correct. */
public final class TextReport {
    private static final List<String> COLUMNS =
            List.of("message", "fault", "moment", "verdict", "effect", "attempts", "time");

    private static final int WIDTH = 100;

    private TextReport() {}

    public static String of(AuditReport report) {
        StringBuilder text = new StringBuilder();
        text.append("Audit of ").append(report.name()).append(": without faults ");
        int messages = report.ownMessages().size();
        text.append(messages).append(messages == 1 ? " message, " : " messages, ");
        text.append(report.cleanTook().toMillis()).append(" ms\n\n");
        text.append(table(COLUMNS, rows(report.findings(false))));
        List<Finding> background = report.findings(true);
        if (!background.isEmpty()) {
            text.append("\nMessages that the driver sends by itself\n\n");
            text.append(table(COLUMNS, rows(background)));
        }
        Set<String> advice = new LinkedHashSet<>();
        report.findings().stream()
                .map(Finding::advice)
                .filter(each -> !each.isEmpty())
                .forEach(advice::add);
        advice.forEach(each -> text.append('\n').append(wrapped("* " + each.replace('\n', ' '), "  ")));
        return text.append('\n').append(summary(report)).append('\n').toString();
    }

    /** Wraps text to the width of a terminal; lines after the first are indented with this. */
    public static String wrapped(String text, String indent) {
        StringBuilder out = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ", -1)) {
            if (column > 0 && column + 1 + word.length() > WIDTH) {
                out.append('\n').append(indent);
                column = indent.length();
            } else if (column > 0) {
                out.append(' ');
                column++;
            }
            out.append(word);
            column += word.length();
        }
        return out.append('\n').toString();
    }

    /** A summary in one line. */
    public static String summary(AuditReport report) {
        if (report.isCorrect()) {
            return "Correct at all " + report.findings().size() + " fault points.";
        }
        long wrong = report.findings().stream()
                .filter(each -> each.verdict() != Verdict.CORRECT)
                .count();
        String always = report.deterministic() ? "" : " Two runs without faults did not send the same messages.";
        return "Not correct at " + wrong + " of " + report.findings().size() + " fault points." + always;
    }

    private static List<List<String>> rows(List<Finding> findings) {
        List<List<String>> rows = new ArrayList<>();
        for (Finding each : findings) {
            rows.add(List.of(
                    each.point().message(),
                    each.point().kind().label(),
                    each.point().moment(),
                    each.verdict().label(),
                    each.effect().toString(),
                    Integer.toString(each.attempts()),
                    each.took().toMillis() + " ms"));
        }
        return rows;
    }

    /** Formats a table with columns as wide as their contents. */
    public static String table(List<String> header, List<List<String>> rows) {
        int[] widths = new int[header.size()];
        List<List<String>> all = new ArrayList<>();
        all.add(header);
        all.addAll(rows);
        for (List<String> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < all.size(); r++) {
            StringBuilder line = new StringBuilder("  ");
            StringBuilder rule = new StringBuilder("  ");
            for (int i = 0; i < widths.length; i++) {
                String cell = all.get(r).get(i);
                line.append(cell).repeat(' ', widths[i] - cell.length() + 2);
                rule.repeat('-', widths[i]).append("  ");
            }
            text.append(line.toString().stripTrailing()).append('\n');
            if (r == 0) {
                text.append(rule.toString().stripTrailing()).append('\n');
            }
        }
        return text.toString();
    }
}
