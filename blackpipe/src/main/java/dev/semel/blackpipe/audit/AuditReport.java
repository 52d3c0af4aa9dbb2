package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.proxy.Observation;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The result of an audit.
 *
 * @param clean the messages of a run without faults
 * @param deterministic whether two such runs sent the same
 */
public record AuditReport(
        String name, List<Observation> clean, Duration cleanTook, boolean deterministic, List<Finding> findings) {
    public AuditReport {
        clean = List.copyOf(clean);
        findings = List.copyOf(findings);
    }

    public boolean isCorrect() {
        return deterministic && findings.stream().allMatch(each -> each.verdict() == Verdict.CORRECT);
    }

    /** The operation's own messages in a run without faults. */
    public List<Observation> ownMessages() {
        return clean.stream().filter(each -> !Messages.isBackground(each)).toList();
    }

    /** Faults of the operation's own messages, or of those that the driver sends by itself. */
    public List<Finding> findings(boolean background) {
        return findings.stream()
                .filter(each -> each.point().background() == background)
                .toList();
    }

    /** The worst verdict over the operation's own messages for one kind of fault. */
    public Optional<Verdict> worst(Kind kind) {
        return findings(false).stream()
                .filter(each -> each.point().kind() == kind)
                .map(Finding::verdict)
                .max(Comparator.naturalOrder());
    }
}
