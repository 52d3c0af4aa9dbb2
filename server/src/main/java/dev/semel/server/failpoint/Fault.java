package dev.semel.server.failpoint;

import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a command: first it waits, then its connection ends or it fails. With nothing of all that it goes well.
 *
 * @param labels in place of those that the server would add by itself; null to leave them
 * @param writeConcernError goes into the reply of the command, which runs; in any phase
 */
public record Fault(
        Phase phase,
        Duration stall,
        boolean closesConnection,
        @Nullable ErrorCode error,
        @Nullable List<String> labels,
        @Nullable RawDocument writeConcernError) {

    /** The moment at which it happens. */
    public enum Phase {
        /** Nothing has been done. */
        BEFORE_APPLY("beforeApply"),
        /** All has been done, and the reply has not been sent. */
        AFTER_APPLY("afterApply"),
        /** The reply has been sent. */
        AFTER_REPLY("afterReply");

        private final String word;

        Phase(String word) {
            this.word = word;
        }

        /** As {@code configureFailPoint} has it. */
        public String word() {
            return word;
        }
    }
}
