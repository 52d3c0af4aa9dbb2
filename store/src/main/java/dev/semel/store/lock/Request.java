package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A lock that somebody wants. Once it waits, whoever holds the table's mutex may grant it or fail it. */
final class Request {
    final LockOwner owner;
    final Space space;

    /** One of the two is there. */
    final byte @Nullable [] key;

    final @Nullable KeyRange range;
    final LockMode mode;

    /** The owner has a weaker lock there already: it goes first, for nobody else can get on before it. */
    final boolean isUpgrade;

    final Thread thread = Thread.currentThread();

    /** Later ones have higher numbers. */
    long number = Long.MAX_VALUE;

    Instant since = Instant.EPOCH;
    private volatile State state = State.WAITING;

    private enum State {
        WAITING,
        GRANTED,
        DEADLOCKED
    }

    Request(
            LockOwner owner,
            Space space,
            byte @Nullable [] key,
            @Nullable KeyRange range,
            LockMode mode,
            boolean isUpgrade) {
        this.owner = owner;
        this.space = space;
        this.key = key;
        this.range = range;
        this.mode = mode;
        this.isUpgrade = isUpgrade;
    }

    boolean touches(byte[] other) {
        return range != null ? range.contains(other) : Arrays.equals(key, other);
    }

    boolean touches(KeyRange other) {
        return range != null ? range.overlaps(other) : key != null && other.contains(key);
    }

    KeyRange asRange() {
        return range != null ? range : KeyRange.point(key == null ? new byte[0] : key);
    }

    boolean isWaiting() {
        return state == State.WAITING;
    }

    boolean isGranted() {
        return state == State.GRANTED;
    }

    boolean isDeadlocked() {
        return state == State.DEADLOCKED;
    }

    void granted() {
        state = State.GRANTED;
    }

    void deadlocked() {
        state = State.DEADLOCKED;
    }
}
