package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.proxy.Observation;
import java.time.Duration;
import java.util.List;

/**
 * What came of one fault.
 *
 * @param effect how much of the effect was in the data afterwards
 * @param error what the operation failed with; empty if it claimed to have gone well
 * @param attempts how often the message of the fault was sent from the fault on
 * @param messages all of them, in order
 */
public record Finding(
        FaultPoint point,
        Verdict verdict,
        Effect effect,
        String error,
        int attempts,
        Duration took,
        List<Observation> messages) {
    public Finding {
        messages = List.copyOf(messages);
    }

    /** How often the whole effect was there; not at all where only a part was. */
    public long applied() {
        return effect instanceof Effect.Times(long count) ? count : 0;
    }

    /** What happened, and what to do about it; empty if all is well. */
    public String advice() {
        String message = point.message();
        return switch (verdict) {
            case CORRECT -> "";
            case MAY_OVERCOUNT ->
                "The server had applied " + message
                        + ", and the answer was lost. It was sent again as if it were new, and"
                        + " the effect is there " + applied() + " times. Use retryable writes, or give the operation a"
                        + " token by which the second attempt is recognised.";
            case MAY_UNDERCOUNT ->
                error.isEmpty()
                        ? "The operation claims that it went well, and its effect is not there. Do not ignore the"
                                + " error of "
                                + message + "."
                        : "The server never got " + message
                                + ", and one more attempt would have gone well. Use retryable"
                                + " writes, or try once again after a network error.";
            case MAY_HALF_APPLY ->
                "After the fault of " + message
                        + ", a part of the work is done and the rest is not. Put writes that belong together into one"
                        + " transaction, or into one document. Found:\n"
                        + (effect instanceof Effect.Part(String found) ? found : "");
            case WASTES_TIME -> wasteOf(message);
            case NON_DETERMINISTIC ->
                "In this run, " + message
                        + " was not sent. Make the operation do the same in every run, or audit its parts.";
        };
    }

    private String wasteOf(String message) {
        return switch (point.kind()) {
            case COMMAND_ERROR ->
                "The server refused " + message + ", and it was sent " + attempts
                        + " times. An error that the server states does not go away: give up at once.";
            case OUTAGE ->
                "There was no server any more after " + message
                        + ", and the operation waited for one more than once. Give up when one more attempt, for which"
                        + " the driver has looked for a server, has failed.";
            case TRANSIENT ->
                "Once the network had failed at " + message + ", it took " + attempts + " attempts and "
                        + took.toMillis() + " ms. One more attempt, made at once, would have done.";
        };
    }
}
