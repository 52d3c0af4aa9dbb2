package dev.semel.server.statement;

import dev.semel.wire.bson.Value;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The timestamps that documents get from the server. Each is larger than all before it, as those of MongoDB are, which come
 * from its logical clock: clients order documents by them.
 */
public final class Timestamps {
    private static final int SECONDS_SHIFT = 32;

    private final InstantSource clock;
    private final AtomicLong newest = new AtomicLong();

    public Timestamps(InstantSource clock) {
        this.clock = clock;
    }

    Value.Timestamp next() {
        long now = (clock.millis() / 1000) << SECONDS_SHIFT | 1;
        return new Value.Timestamp(newest.updateAndGet(last -> Math.max(last + 1, now)));
    }
}
