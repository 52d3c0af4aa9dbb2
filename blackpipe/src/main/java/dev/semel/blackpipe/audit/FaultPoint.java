package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Rendezvous;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.message.Match;
import java.util.List;

/**
 * A message and a fault.
 *
 * @param collection empty if the command has no collection
 * @param nth the ordinal of the command among those of this name on this collection
 * @param background whether the message was sent by the driver itself and not by the operation
 * @param labels the error labels of a retryable error for this message
 */
public record FaultPoint(
        String command, String collection, int nth, Phase phase, Kind kind, boolean background, List<String> labels) {
    /** Unauthorized: drivers do not retry this error, and applications should not either. */
    private static final int HOPELESS = 13;

    /** ExceededTimeLimit: it says nothing of the server's state, so that drivers need not look at that before they retry. */
    private static final int RETRYABLE = 262;

    private static final String MESSAGE = "refused by the audit";

    public FaultPoint {
        labels = List.copyOf(labels);
    }

    /** For the run on this database. */
    Rule rule(String database, Timing timing) {
        Match match = Match.command(command);
        // What is not about a collection may run on another database, as a commit does.
        Match here = collection.isEmpty() ? match : match.on(database + "." + collection);
        return Rule.of(here, phase, action(timing)).nth(nth).times(times());
    }

    private Action action(Timing timing) {
        return switch (kind) {
            case TRANSIENT, SECOND_FAULT -> new Action.Close();
            case STALL -> new Action.Stall(Action.FOREVER);
            case OUTAGE -> new Action.Outage(Action.FOREVER);
            case OUTAGE_THAT_ENDS -> new Action.Outage(timing.outage().toMillis());
            case STEP_DOWN -> new Action.StepDown(timing.stepDown().toMillis());
            case RETRYABLE_ERROR -> new Action.ErrorReply(RETRYABLE, MESSAGE, labels);
            case COMMAND_ERROR -> new Action.ErrorReply(HOPELESS, MESSAGE, List.of());
            case TWO_COPIES ->
                new Action.Meet(new Rendezvous(), timing.meeting().toMillis());
        };
    }

    private int times() {
        return switch (kind) {
            case SECOND_FAULT -> 2;
            case COMMAND_ERROR -> Rule.ALWAYS;
            case TRANSIENT, STALL, OUTAGE, OUTAGE_THAT_ENDS, STEP_DOWN, RETRYABLE_ERROR, TWO_COPIES -> 1;
        };
    }

    /** The message, as in {@code update orders (2)} for the second. */
    public String message() {
        return command + (collection.isEmpty() ? "" : " " + collection) + (nth == 1 ? "" : " (" + nth + ")");
    }

    /** When. */
    public String moment() {
        boolean isRefusal = switch (kind) {
            case STEP_DOWN, RETRYABLE_ERROR, COMMAND_ERROR -> true;
            case TRANSIENT, SECOND_FAULT, STALL, OUTAGE, OUTAGE_THAT_ENDS, TWO_COPIES -> false;
        };
        if (kind == Kind.TWO_COPIES) {
            return "at the same time";
        }
        if (isApplied()) {
            return isRefusal ? "applied, then refused" : "applied, reply lost";
        }
        return isRefusal ? "refused" : "not received";
    }

    /** Whether an immediate retry does the work, and the program can know this; then only a retry is correct. */
    boolean passesAtOnce() {
        return switch (kind) {
            case TRANSIENT, STALL, STEP_DOWN -> true;
            case RETRYABLE_ERROR -> !labels.isEmpty();
            case SECOND_FAULT, OUTAGE, OUTAGE_THAT_ENDS, COMMAND_ERROR, TWO_COPIES -> false;
        };
    }

    /** Whether the server has applied the message when the fault happens. */
    boolean isApplied() {
        return switch (phase) {
            case AFTER_APPLY, WITHIN_REPLY -> true;
            case BEFORE, WITHIN, DUPLICATE -> false;
        };
    }

    @Override
    public String toString() {
        return message() + ", " + kind.label() + ", " + moment();
    }
}
