package dev.semel.server.plan;

import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.thread.MustWait;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What all stages of a run read from, and until when. */
final class Reading {
    private static final int KEYS_PER_CHECK = 128;

    /** About a millisecond of a scan: the carriers of virtual threads are few, and other commands take less. */
    private static final int KEYS_PER_YIELD = 1024;

    private final Snapshot snapshot;
    private final @Nullable List<byte[]> fetched;
    private Interruption interruption;
    private long keys;
    private long keysMax = Long.MAX_VALUE;
    private long wanted = Long.MAX_VALUE;

    Reading(Snapshot snapshot, Interruption interruption) {
        this(snapshot, interruption, null);
    }

    /** Notes which documents an index has led to. */
    Reading(Snapshot snapshot, Interruption interruption, @Nullable List<byte[]> fetched) {
        this.snapshot = snapshot;
        this.interruption = interruption;
        this.fetched = fetched;
    }

    void fetched(byte[] key) {
        if (fetched != null) {
            fetched.add(key);
        }
    }

    Snapshot snapshot() {
        return snapshot;
    }

    void runUnder(Interruption next) {
        interruption = next;
    }

    /** Stops the operation if it is to stop. */
    void checkpoint() {
        interruption.check();
    }

    /** How many keys it may have looked at before it is suspended. */
    void suspendAt(long most) {
        keysMax = most;
    }

    /**
     * Whether it has to stop here to go on later. A stage that gets nothing from its input while this is so does not know
     * whether there is more.
     */
    boolean isSuspended() {
        return keys >= keysMax;
    }

    boolean isToBeSuspended() {
        return keysMax != Long.MAX_VALUE;
    }

    /** What is opened from now on has to give so many documents at most. */
    void want(long documents) {
        wanted = documents;
    }

    long wanted() {
        return wanted;
    }

    long keys() {
        return keys;
    }

    /** One more key: from time to time whether the operation is to stop. */
    void count() {
        keys++;
        if (keys % KEYS_PER_CHECK == 0) {
            interruption.check();
            if (keys % KEYS_PER_YIELD == 0) {
                giveWay();
            }
        }
    }

    /**
     * Not by {@link Thread#yield}: threads that yield stay in the queue of their carrier, and with two of them a carrier never
     * looks at what comes from outside, such as another client's request.
     */
    private static void giveWay() {
        MustWait.check();
        LockSupport.parkNanos(1);
    }
}
