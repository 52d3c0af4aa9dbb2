package dev.semel.cli.lab;

import dev.semel.blackpipe.audit.AuditReport;
import dev.semel.blackpipe.audit.Finding;
import dev.semel.blackpipe.audit.Kind;
import dev.semel.blackpipe.audit.Verdict;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One line of the lab's tables: a strategy and what was measured of it.
 *
 * @param clean its usual time without faults and without the proxy
 */
record Measured(Strategy strategy, Duration clean, AuditReport report) {

    Verdict verdict(Kind kind) {
        return report.worst(kind).orElse(Verdict.CORRECT);
    }

    /** The verdict with what the counter was in each run. */
    String cell(Kind kind) {
        return verdict(kind).label() + " " + counts(kind);
    }

    private String counts(Kind kind) {
        return of(kind).stream().map(each -> Long.toString(each.applied())).collect(Collectors.joining(",", "(", ")"));
    }

    /** The longest that it took. */
    Duration longest(Kind kind) {
        return of(kind).stream()
                .map(Finding::took)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    long attempts(Kind kind) {
        return of(kind).stream().mapToLong(Finding::attempts).max().orElse(0);
    }

    int roundTrips() {
        return report.ownMessages().size();
    }

    String cleanMs() {
        return String.format(Locale.ROOT, "%.2f ms", clean.toNanos() / 1e6);
    }

    private List<Finding> of(Kind kind) {
        return report.findings(false).stream()
                .filter(each -> each.point().kind() == kind)
                .toList();
    }
}
