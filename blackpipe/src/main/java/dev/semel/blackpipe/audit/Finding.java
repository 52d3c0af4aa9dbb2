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
        return new Advice(this).text();
    }
}
