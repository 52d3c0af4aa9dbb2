package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.proxy.Observation;
import java.time.Duration;
import java.util.List;

/**
 * The result of one fault.
 *
 * @param effect how much of the effect was in the data afterwards
 * @param error the operation's error; empty if it reported success
 * @param attempts how many times the message of the fault was sent, beginning with the fault
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

    /** How many times the whole effect was there; 0 if only a part was. */
    public long applied() {
        return effect instanceof Effect.Times(long count) ? count : 0;
    }

    /** Explains the finding and says how to correct the program; empty if the verdict is correct. */
    public String advice() {
        return new Advice(this).text();
    }
}
