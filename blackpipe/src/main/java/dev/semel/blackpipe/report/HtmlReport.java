package dev.semel.blackpipe.report;

import dev.semel.blackpipe.audit.AuditReport;
import dev.semel.blackpipe.audit.Finding;
import dev.semel.blackpipe.audit.Verdict;
import dev.semel.blackpipe.proxy.Observation;
import dev.semel.blackpipe.report.Page.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The report as one HTML page, with a diagram of the messages of every run. */
public final class HtmlReport {
    private static final Set<String> HANDSHAKES = Set.of("hello", "isMaster", "ismaster", "endSessions");

    private static final String LEGEND =
            "Effect: how often the work was in the data afterwards. Attempts: how often the message was sent, counted"
                    + " from the fault on.";

    private HtmlReport() {}

    public static String of(AuditReport report) {
        Page page = new Page("Audit of " + report.name());
        page.paragraph(TextReport.summary(report), report.isCorrect() ? "good" : "bad");
        page.drawing(
                new Cell("Without faults: " + report.cleanTook().toMillis() + " ms", ""),
                List.of(),
                SequenceDiagram.of(withoutHandshakes(report.clean())));
        section(page, "What can go wrong", report.findings(false), false);
        if (!report.findings(true).isEmpty()) {
            section(page, "Messages that the driver sends by itself", report.findings(true), true);
        }
        return page.html();
    }

    private static void section(Page page, String title, List<Finding> findings, boolean withHandshakes) {
        page.heading(title);
        List<List<Cell>> rows = new ArrayList<>();
        for (Finding each : findings) {
            rows.add(List.of(
                    new Cell(each.point().message(), ""),
                    new Cell(each.point().kind().label(), ""),
                    new Cell(each.point().moment(), ""),
                    cell(each.verdict()),
                    new Cell(each.effect().toString(), "number"),
                    new Cell(Integer.toString(each.attempts()), "number"),
                    new Cell(each.took().toMillis() + " ms", "number")));
        }
        page.paragraph(LEGEND, "small");
        page.table(List.of("message", "fault", "moment", "verdict", "effect", "attempts", "time"), rows);
        for (Finding each : findings) {
            drawing(page, "", each, withHandshakes ? each.messages() : withoutHandshakes(each.messages()));
        }
    }

    /** Draws the run of one fault, with this title and these messages. */
    public static void drawing(Page page, String title, Finding finding, List<Observation> messages) {
        List<String> texts = new ArrayList<>();
        if (!finding.advice().isEmpty()) {
            texts.add(finding.advice());
        }
        texts.add(
                finding.error().isEmpty() ? "The program reported success." : "The program failed: " + finding.error());
        page.drawing(
                new Cell(
                        finding.point() + ": " + finding.verdict().label() + title,
                        cell(finding.verdict()).type()),
                texts,
                SequenceDiagram.of(messages));
    }

    private static List<Observation> withoutHandshakes(List<Observation> messages) {
        return messages.stream()
                .filter(each -> !HANDSHAKES.contains(each.request().name()))
                .toList();
    }

    /** A verdict with its colour. */
    public static Cell cell(Verdict verdict) {
        return new Cell(
                verdict.label(),
                switch (verdict) {
                    case CORRECT -> "good";
                    case WASTES_TIME, NON_DETERMINISTIC -> "warn";
                    case MAY_UNDERCOUNT, MAY_OVERCOUNT, MAY_HALF_APPLY -> "bad";
                });
    }
}
