package dev.semel.store.lock;

/** Shared or exclusive; the intentions say on a whole what is locked in its parts. */
public enum LockMode {
    INTENT_SHARED(0b0111),
    INTENT_EXCLUSIVE(0b0011),
    SHARED(0b0101),
    EXCLUSIVE(0b0000);

    /** A bit for each mode that others may have beside this one, the first mode's being the lowest. */
    private final int compatible;

    LockMode(int compatible) {
        this.compatible = compatible;
    }

    private int bit() {
        return switch (this) {
            case INTENT_SHARED -> 0b0001;
            case INTENT_EXCLUSIVE -> 0b0010;
            case SHARED -> 0b0100;
            case EXCLUSIVE -> 0b1000;
        };
    }

    public boolean isCompatible(LockMode other) {
        return (compatible & other.bit()) != 0;
    }

    /** True if the holder of this mode needs no further lock for the other. */
    public boolean covers(LockMode other) {
        return this == other || this == EXCLUSIVE || other == INTENT_SHARED;
    }

    /** The weakest mode that covers both. Shared and intent exclusive together are taken as exclusive: no caller needs less. */
    public LockMode with(LockMode other) {
        return covers(other) ? this : other.covers(this) ? other : EXCLUSIVE;
    }
}
