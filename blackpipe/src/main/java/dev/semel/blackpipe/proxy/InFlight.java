package dev.semel.blackpipe.proxy;

import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.message.Request;
import dev.semel.wire.bson.RawDocument;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A decoded request, until it is finished. */
final class InFlight {
    static final Action.Delivery NONE = new Action.None();

    private final Time time;
    private final long number;
    private final Instant arrived;
    private final long arrivedNanos;
    private final Request request;
    private final @Nullable Rule rule;
    private int answers;

    InFlight(Time time, long number, Request request, @Nullable Rule rule) {
        this.time = time;
        this.number = number;
        this.arrived = time.now();
        this.arrivedNanos = time.nanos();
        this.request = request;
        this.rule = rule;
    }

    Request request() {
        return request;
    }

    boolean hasFaultAt(Phase phase) {
        return rule != null && rule.phase() == phase;
    }

    /** The action of its rule in this phase; {@link Action.None} if there is none. */
    Action actionAt(Phase phase) {
        return rule != null && rule.phase() == phase ? rule.action() : NONE;
    }

    /** How many bytes of a message of this length are forwarded before the fault; 0 if it is not cut in this phase. */
    int bytesBefore(Phase phase, int length) {
        return rule != null && rule.phase() == phase ? Math.min(rule.atByte(), length) : 0;
    }

    /** Whether this is the first reply; the second reply to a duplicated request is dropped. */
    boolean isFirstAnswer() {
        return answers++ == 0;
    }

    Observation over(boolean reachedServer, @Nullable RawDocument reply) {
        long micros = TimeUnit.NANOSECONDS.toMicros(time.nanos() - arrivedNanos);
        return new Observation(
                number, arrived, micros, request, reachedServer, reply, rule == null ? "" : rule.fault());
    }

    /** It was lost because its connection was closed, not by its own fault. */
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
