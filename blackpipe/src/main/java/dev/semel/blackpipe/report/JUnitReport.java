package dev.semel.blackpipe.report;

import dev.semel.blackpipe.audit.AuditReport;
import dev.semel.blackpipe.audit.Finding;
import dev.semel.blackpipe.audit.Verdict;
import java.util.Locale;

/** The report as JUnit XML, which build servers can show. */
public final class JUnitReport {
    private JUnitReport() {}

    public static String of(AuditReport report) {
        long failures = report.findings().stream()
                .filter(each -> each.verdict() != Verdict.CORRECT)
                .count();
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        String name = Markup.escaped(report.name());
        xml.append(String.format(
                Locale.ROOT,
                "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\" time=\"%.3f\">%n",
                name,
                report.findings().size(),
                failures,
                report.findings().stream()
                        .mapToDouble(each -> each.took().toMillis() / 1000.0)
                        .sum()));
        for (Finding each : report.findings()) {
            xml.append(String.format(
                    Locale.ROOT,
                    "  <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\"",
                    name,
                    Markup.escaped(each.point().toString()),
                    each.took().toMillis() / 1000.0));
            if (each.verdict() == Verdict.CORRECT) {
                xml.append("/>\n");
            } else {
                xml.append(">\n    <failure message=\"")
                        .append(Markup.escaped(each.verdict().label()))
                        .append("\">")
                        .append(Markup.escaped(each.advice()))
                        .append("</failure>\n  </testcase>\n");
            }
        }
        return xml.append("</testsuite>\n").toString();
    }
}
