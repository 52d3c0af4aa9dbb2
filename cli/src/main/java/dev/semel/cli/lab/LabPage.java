package dev.semel.cli.lab;

import dev.semel.blackpipe.audit.Finding;
import dev.semel.blackpipe.report.HtmlReport;
import dev.semel.blackpipe.report.Page;
import dev.semel.blackpipe.report.Page.Cell;
import java.util.ArrayList;
import java.util.List;

/** The lab's report as one HTML page. */
final class LabPage {
    private LabPage() {}

    static String of(List<Measured> all, List<Visits> killed) {
        var page = new Page("What does the counter show?");
        page.paragraph(LabText.QUESTION, "").paragraph(LabText.METHOD, "");
        page.heading("Verdicts").table(LabText.VERDICT_COLUMNS, verdicts(all));
        page.heading("Costs").table(LabText.COST_COLUMNS, plain(LabText.costs(all)));
        if (!killed.isEmpty()) {
            page.heading("While the primary is killed").paragraph(LabText.SECOND_ACT, "");
            page.table(LabText.KILLED_COLUMNS, plain(LabText.killedRows(killed)));
        }
        page.paragraph(LabText.MORAL, "").paragraph(LabText.CREDIT, "small");
        for (var each : all) {
            page.heading(each.strategy().name());
            page.paragraph(each.strategy().says(), "").code(each.strategy().code());
            each.report().findings(false).forEach(finding -> drawing(page, finding));
        }
        return page.html();
    }

    private static void drawing(Page page, Finding finding) {
        var messages = finding.messages().stream()
                .filter(each -> !each.request().isHello())
                .filter(each -> !each.request().name().equals("endSessions"))
                .limit(DRAWN_MAX)
                .toList();
        HtmlReport.drawing(page, ", counter " + finding.applied(), finding, messages);
    }

    /** A program that never gives up sends more messages than a diagram can show. */
    private static final int DRAWN_MAX = 12;

    private static List<List<Cell>> verdicts(List<Measured> all) {
        List<List<Cell>> rows = new ArrayList<>();
        for (var each : all) {
            List<Cell> row = new ArrayList<>();
            row.add(new Cell(each.strategy().name(), ""));
            for (var kind : Experiment.FAULTS) {
                row.add(new Cell(
                        each.cell(kind), HtmlReport.cell(each.verdict(kind)).type()));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<List<Cell>> plain(List<List<String>> rows) {
        return rows.stream()
                .map(row -> row.stream().map(each -> new Cell(each, "")).toList())
                .toList();
    }
}
