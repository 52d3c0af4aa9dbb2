package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.proxy.Observation;
import java.time.Duration;
import java.util.List;

/** Computes the verdict of a run from its outcome. A pure function. */
final class Judgement {
    /** Drivers and timers are not exact: a run that takes this fraction of two selection timeouts has waited for both. */
    private static final double TWO_TIMEOUTS = 1.9;

    private final Run.Outcome clean;
    private final Effect inSequence;
    private final Timing timing;

    /** The effect is the same as that of two copies that run one after the other. */
    Judgement(Run.Outcome clean, Effect inSequence, Timing timing) {
        this.clean = clean;
        this.inSequence = inSequence;
        this.timing = timing;
    }

    Finding of(FaultPoint point, Run.Outcome run) {
        int attempts = attempts(point, run.messages());
        return new Finding(
                point, verdict(point, run, attempts), run.effect(), run.error(), attempts, run.took(), run.messages());
    }

    private Verdict verdictOfTwoCopies(Run.Outcome run) {
        if (!(run.effect() instanceof Effect.Times(long count) && inSequence instanceof Effect.Times(long most))) {
            return Verdict.MAY_HALF_APPLY;
        }
        if (count > most) {
            return Verdict.MAY_OVERCOUNT;
        }
        // A copy that fails and says so owes nothing.
        return count < Math.min(most, run.succeeded()) ? Verdict.MAY_UNDERCOUNT : Verdict.CORRECT;
    }

    private Verdict verdict(FaultPoint point, Run.Outcome run, int attempts) {
        if (point.kind() == Kind.TWO_COPIES) {
            return verdictOfTwoCopies(run);
        }
        if (!run.hasFault()) {
            return Verdict.NON_DETERMINISTIC;
        }
        return switch (run.effect()) {
            case Effect.Part part -> Verdict.MAY_HALF_APPLY;
            case Effect.Times(long count) when count > 1 -> Verdict.MAY_OVERCOUNT;
            case Effect.Times(long count) -> verdict(point, run, attempts, count == 1);
        };
    }

    private Verdict verdict(FaultPoint point, Run.Outcome run, int attempts, boolean isDone) {
        // What one more attempt would have done is owed; after anything worse, nothing but the truth.
        boolean owed = point.passesAtOnce() || run.error().isEmpty();
        if (!isDone && owed) {
            return Verdict.MAY_UNDERCOUNT;
        }
        // How often a driver sends handshakes depends on the timing of its monitors, not on the program.
        boolean tooOften = !point.background() && isTooOften(point, attempts);
        return tooOften || isTooLong(point, run) ? Verdict.WASTES_TIME : Verdict.CORRECT;
    }

    private static boolean isTooOften(FaultPoint point, int attempts) {
        return switch (point.kind()) {
            case TRANSIENT, STALL, STEP_DOWN, RETRYABLE_ERROR -> attempts > 2;
            case SECOND_FAULT -> attempts > 3;
            case COMMAND_ERROR -> attempts > 1;
            case OUTAGE, OUTAGE_THAT_ENDS, TWO_COPIES -> false;
        };
    }

    /**
     * Whether the driver looked for a server twice and did not find one: the only thing that takes time, and takes it on any
     * machine. Counted from the fault on, because how long it takes to start a program says nothing about its strategy.
     */
    private boolean isTooLong(FaultPoint point, Run.Outcome run) {
        // Who waits for the end of an outage and then does the work has not waited in vain.
        boolean inVain = point.kind() != Kind.OUTAGE_THAT_ENDS || !run.error().isEmpty();
        return inVain && sinceFault(run).compareTo(timeAllowed(point)) > 0;
    }

    private static Duration sinceFault(Run.Outcome run) {
        return run.messages().stream()
                .filter(Observation::hasFault)
                .findFirst()
                .map(each -> Duration.between(each.over(), run.ended()))
                .orElse(run.took());
    }

    private Duration timeAllowed(FaultPoint point) {
        return Duration.ofMillis(
                        (long) (TWO_TIMEOUTS * timing.selectionTimeout().toMillis()))
                .plus(timing.of(point.kind()))
                .plus(remainingAfter(point));
    }

    /** What a run without faults does after this message. */
    private Duration remainingAfter(FaultPoint point) {
        return clean.messages().stream()
                .filter(each -> Messages.isOf(each, point))
                .skip(point.nth() - 1L)
                .findFirst()
                .map(each -> Duration.between(each.arrived(), clean.ended()))
                .orElse(Duration.ZERO);
    }

    /** Whether the cause may be a busy machine; the run is then repeated alone. */
    boolean isDoubtful(Finding finding) {
        return switch (finding.verdict()) {
            // The driver looked for a server that was there, or was back soon, and did not find it in time.
            case MAY_UNDERCOUNT ->
                finding.point().passesAtOnce()
                        && finding.took()
                                        .compareTo(timing.selectionTimeout()
                                                .plus(timing.beforeSelection(
                                                        finding.point().kind())))
                                > 0;
            case WASTES_TIME ->
                finding.took()
                                .compareTo(clean.took()
                                        .plus(timeAllowed(finding.point()).multipliedBy(2)))
                        < 0;
            case CORRECT, NON_DETERMINISTIC, MAY_OVERCOUNT, MAY_HALF_APPLY -> false;
        };
    }

    /** How often the message was sent, without those that a run without faults sends as well. */
    private int attempts(FaultPoint point, List<Observation> messages) {
        return 1 + Math.max(0, Messages.count(messages, point) - Messages.count(clean.messages(), point));
    }
}
