package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys on every one of which the same owners have the same locks. Most are single keys of one owner, and there
 * may be millions of them, so that case is kept small. Guarded by the mutex of its space.
 */
final class Segment {
    /** This object, its place in the tree and in its holder's list. */
    private static final long FIXED_BYTES = 112;

    private static final long ARRAY_BYTES = 16;
    private static final long CROWD_BYTES = 200;
    private static final long MEMBER_BYTES = 80;

    final byte[] low;

    /** Exclusive; null is the end of the key space, or that this is a single key. */
    private byte @Nullable [] high;

    private boolean isPoint;

    /** The only holder, unless {@link Crowd} has several. */
    private @Nullable Holding holder;

    private LockMode mode;
    private @Nullable Crowd crowd;

    /** Covers keys that were not asked for, because locks were merged to save memory. */
    boolean widened;

    /** Taken out of its space while its holders may still list it. */
    boolean gone;

    Segment(byte[] low, byte @Nullable [] high, Holding holder, LockMode mode) {
        this.low = low;
        this.isPoint = high != null && isSuccessor(low, high);
        this.high = isPoint ? null : high;
        this.holder = holder;
        this.mode = mode;
        holder.add(this);
    }

    /** The upper part of another, which then ends where this begins. */
    Segment(byte[] cut, Segment from) {
        this.low = cut;
        this.high = from.high;
        this.mode = from.mode;
        this.holder = from.holder;
        this.widened = from.widened;
        if (this.holder != null) {
            this.holder.add(this);
        }
        Crowd others = from.crowd;
        if (others != null) {
            Crowd copy = new Crowd();
            for (Holding each : others.holdings()) {
                LockMode has = others.mode(each);
                if (has != null) {
                    copy.put(each, has);
                    each.add(this);
                }
            }
            this.crowd = copy;
        }
        from.endAt(cut);
    }

    private static boolean isSuccessor(byte[] low, byte[] high) {
        return high.length == low.length + 1
                && high[low.length] == 0
                && Arrays.equals(high, 0, low.length, low, 0, low.length);
    }

    // Where it is

    /** Exclusive; null is the end of the key space. */
    byte @Nullable [] high() {
        return isPoint ? KeyRange.successor(low) : high;
    }

    private void endAt(byte @Nullable [] end) {
        isPoint = end != null && isSuccessor(low, end);
        high = isPoint ? null : end;
    }

    /** Whether a key that is not below its low end is in it. */
    boolean endsBehind(byte[] key) {
        if (isPoint) {
            return Arrays.equals(key, low);
        }
        byte[] end = high;
        return end == null || Arrays.compareUnsigned(key, end) < 0;
    }

    /** Whether it goes on to this end at least. */
    boolean reaches(byte @Nullable [] end) {
        if (isPoint) {
            return end != null && (Arrays.compareUnsigned(end, low) <= 0 || isSuccessor(low, end));
        }
        byte[] own = high;
        return own == null || (end != null && Arrays.compareUnsigned(end, own) <= 0);
    }

    KeyRange range() {
        return new KeyRange(low, high());
    }

    // Who has it

    @Nullable
    LockMode mode(Holding holding) {
        if (holder == holding) {
            return mode;
        }
        Crowd others = crowd;
        return others == null ? null : others.mode(holding);
    }

    /** The owner's lock here becomes at least this strong. */
    void add(Holding holding, LockMode wanted) {
        LockMode has = mode(holding);
        if (has == null) {
            holding.add(this);
        }
        LockMode changed = has == null ? wanted : has.with(wanted);
        Holding only = holder;
        if (only == holding) {
            mode = changed;
            return;
        }
        Crowd others = crowd;
        if (others == null) {
            others = new Crowd();
            crowd = others;
        }
        if (only != null) {
            others.put(only, mode);
            holder = null;
        }
        others.put(holding, changed);
    }

    /** True if it is not held now. */
    boolean remove(Holding holding) {
        Crowd others = crowd;
        if (others == null) {
            if (holder == holding) {
                holder = null;
            }
            return holder == null;
        }
        others.remove(holding);
        if (others.size() == 1) {
            Holding last = others.holdings().iterator().next();
            LockMode has = others.mode(last);
            holder = last;
            mode = has == null ? mode : has;
            crowd = null;
        }
        return false;
    }

    /** True as soon as the visitor returns true for an owner that conflicts with such a lock. */
    boolean anyConflict(@Nullable Holding own, LockMode wanted, Predicate<LockOwner> visitor) {
        Holding only = holder;
        if (only != null) {
            return only != own && !mode.isCompatible(wanted) && visitor.test(only.owner);
        }
        Crowd others = crowd;
        return others != null && others.anyConflict(own, wanted, visitor);
    }

    Iterable<Holding> holdings() {
        Holding only = holder;
        Crowd others = crowd;
        return only != null ? List.of(only) : others == null ? List.of() : others.holdings();
    }

    // Saving memory

    /** Whether one owner alone has both, or both are only read. */
    boolean isLike(Segment next) {
        return (holder != null && holder == next.holder) || (isShared() && next.isShared());
    }

    private boolean isShared() {
        Crowd others = crowd;
        return others == null ? mode == LockMode.SHARED : others.isAll(LockMode.SHARED);
    }

    /** Takes in the next one and the gap before it. */
    void takeIn(Segment next) {
        boolean isExact = holder != null && holder == next.holder && mode == next.mode && reaches(next.low);
        widened |= next.widened || !isExact;
        endAt(next.high());
        for (Holding each : next.holdings()) {
            LockMode has = next.mode(each);
            if (has != null) {
                add(each, has);
            }
        }
        next.gone = true;
        for (Holding each : next.holdings()) {
            each.lost();
        }
    }

    /** Roughly, in the heap. */
    long bytes() {
        byte[] end = high;
        Crowd others = crowd;
        return FIXED_BYTES
                + ARRAY_BYTES
                + low.length
                + (end == null ? 0 : ARRAY_BYTES + end.length)
                + (others == null ? 0 : CROWD_BYTES + others.size() * MEMBER_BYTES);
    }
}
