package dev.semel.server.failpoint;

import java.util.function.DoubleSupplier;

/** A fail point that is set, and what is left of it. Guarded by the lock of its {@link FailPoints}. */
final class Armed {
    private final FailPoint point;
    private final Mode mode;
    private long matched;
    private long timesEntered;

    Armed(FailPoint point, Mode mode) {
        this.point = point;
        this.mode = mode;
    }

    FailPoint point() {
        return point;
    }

    /** Counts a matching command; returns whether to inject the fault. */
    boolean isEntered(DoubleSupplier chance) {
        matched++;
        boolean isEntered = switch (mode) {
            case Mode.Off() -> false;
            case Mode.AlwaysOn() -> true;
            case Mode.Times(long count) -> matched <= count;
            case Mode.Skip(long count) -> matched > count;
            case Mode.Activation(double probability) -> chance.getAsDouble() < probability;
        };
        if (isEntered) {
            timesEntered++;
        }
        return isEntered;
    }

    long timesEntered() {
        return timesEntered;
    }

    /** Whether it will not inject another fault. */
    boolean isSpent() {
        return timesEntered >= point.timesMax() || (mode instanceof Mode.Times(long count) && matched >= count);
    }
}
