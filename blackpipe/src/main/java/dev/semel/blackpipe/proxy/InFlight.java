package dev.semel.blackpipe.proxy;

import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.message.Request;
import dev.semel.wire.bson.RawDocument;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A request that was decoded, until it is over. */
final class InFlight {
    private final long number;
    private final Instant arrived = Instant.now();
    private final long arrivedNanos = System.nanoTime();
    private final Request request;
    private final @Nullable Rule rule;
    private int answers;

    InFlight(long number, Request request, @Nullable Rule rule) {
        this.number = number;
        this.request = request;
        this.rule = rule;
    }

    Request request() {
        return request;
    }

    @Nullable
    Rule ruleAt(Phase phase) {
        return rule != null && rule.phase() == phase ? rule : null;
    }

    /** Whether this is the first answer; a duplicate's second is for nobody. */
    boolean isFirstAnswer() {
        return answers++ == 0;
    }

    Observation over(boolean reachedServer, @Nullable RawDocument reply) {
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - arrivedNanos);
        return new Observation(
                number, arrived, micros, request, reachedServer, reply, rule == null ? "" : rule.fault());
    }

    /** It ended because the connection did, not by a fault of its own. */
    Observation lost() {
        Observation over = over(true, null);
        return new Observation(
                over.number(),
                over.arrived(),
                over.micros(),
                request,
                true,
                null,
                over.fault().isEmpty() ? Observation.CONNECTION_ENDED : over.fault());
    }
}
