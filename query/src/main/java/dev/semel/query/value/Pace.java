package dev.semel.query.value;

/**
 * Asks from time to time whether to go on. A search of one document takes some milliseconds at most, but a client may ask
 * for hundreds of thousands in each.
 */
public final class Pace {
    private static final int STEPS = 16;

    private final Runnable checkpoint;
    private int steps;

    /** @param checkpoint throws to end the work */
    public Pace(Runnable checkpoint) {
        this.checkpoint = checkpoint;
    }

    public void step() {
        if (++steps % STEPS == 0) {
            checkpoint.run();
        }
    }
}
