package dev.semel.server.statement;

import dev.semel.wire.bson.ObjectId;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * The ids of documents that come without one: the second, five random bytes that identify this process, and a
 * counter, as MongoDB specifies.
 */
public final class ObjectIds {
    private static final int COUNTER_BITS = 24;
    private static final int COUNTER_MASK = (1 << COUNTER_BITS) - 1;
    private static final long PROCESS_MASK = (1L << 40) - 1;

    private final InstantSource clock;
    private final long process;
    private final AtomicInteger counter;

    public ObjectIds(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.process = (random.nextLong() & PROCESS_MASK) << COUNTER_BITS;
        this.counter = new AtomicInteger(random.nextInt());
    }

    public ObjectId next() {
        int seconds = (int) (clock.millis() / 1000);
        return new ObjectId(seconds, process | (counter.getAndIncrement() & COUNTER_MASK));
    }
}
