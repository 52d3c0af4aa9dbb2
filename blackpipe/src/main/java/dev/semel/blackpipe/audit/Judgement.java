package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.proxy.Observation;
import java.time.Duration;
import java.util.List;

/** From what a run came to, the verdict on it. A function of its inputs. */
final class Judgement {
    /** What a busy machine may add. */
    private static final Duration SLACK_MIN = Duration.ofSeconds(1);

    private final Run.Outcome clean;
    private final Duration selectionTimeout;

    Judgement(Run.Outcome clean, Duration selectionTimeout) {
        this.clean = clean;
        this.selectionTimeout = selectionTimeout;
    }

    Finding of(FaultPoint point, Run.Outcome run) {
        int attempts = attempts(point, run.messages());
        return new Finding(
                point, verdict(point, run, attempts), run.applied(), run.error(), attempts, run.took(), run.messages());
    }

    private Verdict verdict(FaultPoint point, Run.Outcome run, int attempts) {
        if (!run.struck()) {
            return Verdict.NON_DETERMINISTIC;
        }
        if (run.applied() > 1) {
            return Verdict.MAY_OVERCOUNT;
        }
        // After an outage or a refusal, nothing is owed but the truth; after a hiccup, the work is.
        boolean owed = point.kind() == Kind.TRANSIENT || run.error().isEmpty();
        if (run.applied() < 1 && owed) {
            return Verdict.MAY_UNDERCOUNT;
        }
        boolean tooOften = switch (point.kind()) {
            case TRANSIENT -> attempts > 2;
            case COMMAND_ERROR -> attempts > 1;
            case OUTAGE -> false;
        };
        return tooOften || isTooLong(run.took()) ? Verdict.WASTES_TIME : Verdict.CORRECT;
    }

    private boolean isTooLong(Duration took) {
        return took.compareTo(timeAllowed()) > 0;
    }

    private Duration timeAllowed() {
        Duration half = selectionTimeout.dividedBy(2);
        Duration slack = half.compareTo(SLACK_MIN) > 0 ? half : SLACK_MIN;
        return clean.took().plus(selectionTimeout).plus(slack);
    }

    /** Whether a busy machine may be to blame, so that the run deserves another, alone. */
    boolean isDoubtful(Finding finding) {
        return finding.verdict() == Verdict.WASTES_TIME
                && finding.took().compareTo(timeAllowed().multipliedBy(2)) < 0;
    }

    /** How often the message was sent, without those that a run without faults sends as well. */
    private int attempts(FaultPoint point, List<Observation> messages) {
        return 1 + Math.max(0, Messages.count(messages, point) - Messages.count(clean.messages(), point));
    }
}
