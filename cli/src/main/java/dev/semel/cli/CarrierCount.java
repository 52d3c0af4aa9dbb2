package dev.semel.cli;

/**
 * How many carrier threads run the virtual threads. A carrier that has nothing to do is woken whenever there may be work, and
 * finds that another one has done it: with few connections that costs more than the work. So there are only as many
 * as are busy, and more at once when they are not enough.
 *
 * <p>Virtual threads give way only where they look whether to go on. A library that compares two large shapes does not for
 * seconds; when as many do that as there are processors, everyone else would wait for them. Then there are more
 * carriers than processors, and the operating system divides the time.
 */
final class CarrierCount {
    private static final double FULL = 0.9;
    private static final double SPARE = 0.7;

    /** How often in a row one carrier must have been superfluous. */
    static final int CALM_LOOKS = 10;

    /** How often in a row a virtual thread must have waited: a long queue of short work takes less. */
    static final int HELD_LOOKS = 4;

    /** Memory and locks get scarce before this many compute. */
    static final int HELD_MAX = 16;

    private final int processors;
    private int count = 1;
    private int calm;
    private int held;

    CarrierCount(int processors) {
        this.processors = processors;
    }

    int count() {
        return count;
    }

    /**
     * After each interval.
     *
     * @param busy how many processors the carriers have used on average
     * @param stuck whether a virtual thread has waited for a carrier all the time
     */
    int next(double busy, boolean stuck) {
        held = stuck ? held + 1 : 0;
        if (held == HELD_LOOKS) {
            held = 0;
            calm = 0;
            grow(processors + HELD_MAX);
        } else if (stuck || busy > FULL * count) {
            calm = 0;
            grow(processors);
        } else if (count > 1 && busy < SPARE * Math.min(processors, count - 1)) {
            calm++;
            if (calm == CALM_LOOKS) {
                calm = 0;
                count--;
            }
        } else {
            calm = 0;
        }
        return count;
    }

    private void grow(int max) {
        count = Math.max(count, Math.min(max, count + Math.max(1, count / 2)));
    }
}
