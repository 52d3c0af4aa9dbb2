package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A range of keys on every one of which the same owners have the same locks. */
final class Segment {
    private static final long FIXED_BYTES = 200;

    final LockSpace space;
    final byte[] low;

    /** Exclusive; null is the end of the key space. */
    byte @Nullable [] high;

    final List<Hold> holds;

    /** Taken out of its space while its holders may still list it. */
    boolean gone;

    static final class Hold {
        final LockOwner owner;
        LockMode mode;

        Hold(LockOwner owner, LockMode mode) {
            this.owner = owner;
            this.mode = mode;
        }
    }

    Segment(LockSpace space, byte[] low, byte @Nullable [] high, LockOwner owner, LockMode mode) {
        this.space = space;
        this.low = low;
        this.high = high;
        this.holds = new ArrayList<>(1);
        add(owner, mode);
    }

    /** The upper part of another, which then ends where this begins. */
    Segment(byte[] cut, Segment from) {
        this.space = from.space;
        this.low = cut;
        this.high = from.high;
        this.holds = new ArrayList<>(from.holds.size());
        for (Hold each : from.holds) {
            add(each.owner, each.mode);
        }
        from.high = cut;
    }

    @Nullable
    Hold of(LockOwner owner) {
        for (Hold each : holds) {
            if (each.owner == owner) {
                return each;
            }
        }
        return null;
    }

    /** The owner's lock here becomes at least this strong. */
    void add(LockOwner owner, LockMode mode) {
        Hold held = of(owner);
        if (held != null) {
            held.mode = held.mode.with(mode);
        } else {
            holds.add(new Hold(owner, mode));
            owner.segments.add(this);
        }
    }

    /** Who is in the way of such a lock, or null. */
    @Nullable
    LockOwner conflict(LockOwner owner, LockMode mode) {
        for (Hold each : holds) {
            if (each.owner != owner && !each.mode.isCompatible(mode)) {
                return each.owner;
            }
        }
        return null;
    }

    boolean endsBehind(byte[] key) {
        byte[] end = high;
        return end == null || Arrays.compareUnsigned(key, end) < 0;
    }

    KeyRange range() {
        return new KeyRange(low, high);
    }

    /** Roughly, in the heap; must not depend on the holds, which come and go one by one. */
    long bytes() {
        byte[] end = high;
        return FIXED_BYTES + low.length + (end == null ? 0 : end.length);
    }
}
