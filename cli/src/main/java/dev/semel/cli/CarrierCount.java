package dev.semel.cli;

/**
 * How many carrier threads run the virtual threads. A carrier that has nothing to do is woken whenever there may be work, and
 * finds that another one has done it: with few connections that costs more than the work. So there are only as many
 * as are busy, and more at once when they are not enough.
 */
final class CarrierCount {
    private static final double FULL = 0.9;
    private static final double SPARE = 0.7;

    /** How often in a row one carrier must have been superfluous. */
    static final int CALM_LOOKS = 10;

    private final int max;
    private int count = 1;
    private int calm;

    CarrierCount(int max) {
        this.max = max;
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
        if (stuck || busy > FULL * count) {
            calm = 0;
            count = Math.min(max, count + Math.max(1, count / 2));
        } else if (count > 1 && busy < SPARE * (count - 1)) {
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
}
