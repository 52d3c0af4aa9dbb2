package dev.semel.blackpipe.proxy;

import dev.semel.blackpipe.message.Request;
import dev.semel.wire.bson.RawDocument;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request and its outcome.
 *
 * @param number in the order of arrival, from 1
 * @param arrived when the request came from the client
 * @param micros from then to the reply, or to the fault
 * @param reachedServer whether the server got all of it
 * @param reply the reply that the client got; null for none
 * @param fault the fault that was injected; empty for none
 */
public record Observation(
        long number,
        Instant arrived,
        long micros,
        Request request,
        boolean reachedServer,
        @Nullable RawDocument reply,
        String fault) {

    /** The fault of a request whose connection was closed by the fault of another one. */
    static final String CONNECTION_ENDED = "connection ended";

    /** Whether a fault was injected into it. */
    public boolean hasFault() {
        return !fault.isEmpty() && !fault.equals(CONNECTION_ENDED);
    }

    /** When it was answered, or the fault was injected. */
    public Instant over() {
        return arrived.plus(micros, ChronoUnit.MICROS);
    }

    /** Called when a request is finished, on the thread that forwards it, so it should not take long. */
    @FunctionalInterface
    public interface Observer {
        void observed(Observation observation);

        /** Called when a fault that affects all connections begins or ends, such as an outage. */
        default void networkChanged(Instant when, String what) {}
    }
}
