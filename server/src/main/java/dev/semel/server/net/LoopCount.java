package dev.semel.server.net;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * How many loops share the work, by how often each was found at work: one more if one of them always is, one fewer if the
 * others have time enough for its work. More than half as many as processors only help if a processor has nothing to do.
 */
final class LoopCount {
    /** By so many looks at a time is decided. */
    static final int LOOKS = 50;

    /** How often in a row one more loop must have been needed, or one superfluous. */
    static final int IN_ROW = 4;

    private static final double FULL = 0.9;
    private static final double HALF = 0.5;
    private static final double SPARE = 0.6;

    private final int[] seen;
    private final double[] busy;
    private int count = 1;
    private int looks;
    private int strained;
    private int calm;

    /** What is to be done. */
    sealed interface Change {
        /** Every second connection of one loop goes to another, which may be new. */
        record Share(int from, int to) implements Change {}

        /** The last loop's connections go to another one. */
        record Merge(int from, int to) implements Change {}

        /** Nothing, as nobody was at work. */
        record Rest() implements Change {}

        record Nothing() implements Change {}
    }

    LoopCount(int processors) {
        seen = new int[processors];
        busy = new double[processors];
    }

    int count() {
        return count;
    }

    /** That had the least to do lately. */
    int leastBusy() {
        int least = 0;
        for (int i = 1; i < count; i++) {
            if (busy[i] < busy[least]) {
                least = i;
            }
        }
        return least;
    }

    /** The loop was at work when it was looked at. */
    void saw(int loop) {
        seen[loop]++;
    }

    /**
     * After a look at all of them.
     *
     * @param processors whether one has been idle since this was asked for the last time
     */
    Change next(BooleanSupplier processors) {
        if (++looks < LOOKS) {
            return new Change.Nothing();
        }
        double total = 0;
        for (int i = 0; i < count; i++) {
            busy[i] = (double) seen[i] / looks;
            total += busy[i];
        }
        looks = 0;
        Arrays.fill(seen, 0);
        boolean isProcessorIdle = processors.getAsBoolean();
        return total == 0 ? new Change.Rest() : changed(total, isProcessorIdle);
    }

    private Change changed(double total, boolean isProcessorIdle) {
        int fullest = 0;
        for (int i = 1; i < count; i++) {
            if (busy[i] > busy[fullest]) {
                fullest = i;
            }
        }
        boolean isFull = busy[fullest] >= FULL;
        boolean mayGrow = count < seen.length && (count < seen.length / 2 || isProcessorIdle);
        strained = isFull && mayGrow ? strained + 1 : 0;
        calm = !isFull && count > 1 && total < SPARE * (count - 1) ? calm + 1 : 0;
        if (isFull && busy[leastBusy()] < HALF) {
            strained = 0;
            return new Change.Share(fullest, leastBusy());
        }
        if (strained == IN_ROW) {
            strained = 0;
            count++;
            return new Change.Share(fullest, count - 1);
        }
        if (calm == IN_ROW) {
            calm = 0;
            count--;
            return new Change.Merge(count, leastBusy());
        }
        return new Change.Nothing();
    }
}
