package dev.semel.store.lock;

/** Shared or exclusive; the intentions say on a whole what is locked in its parts. */
public enum LockMode {
    INTENT_SHARED,
    INTENT_EXCLUSIVE,
    SHARED,
    EXCLUSIVE;

    private static final boolean[][] COMPATIBLE = {
        {true, true, true, false},
        {true, true, false, false},
        {true, false, true, false},
        {false, false, false, false},
    };

    public boolean isCompatible(LockMode other) {
        return COMPATIBLE[ordinal()][other.ordinal()];
    }

    /** True if whoever holds this needs no more for the other. */
    public boolean covers(LockMode other) {
        return this == other || this == EXCLUSIVE || other == INTENT_SHARED;
    }

    /** The weakest mode that covers both. Shared with the intention to write is taken as exclusive: nobody needs less. */
    public LockMode with(LockMode other) {
        return covers(other) ? this : other.covers(this) ? other : EXCLUSIVE;
    }
}
