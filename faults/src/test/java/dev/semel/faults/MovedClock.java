package dev.semel.faults;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** The system's clock, set forward or back. */
final class MovedClock implements InstantSource {
    private final AtomicLong movedMs = new AtomicLong();

    void move(Duration by) {
        movedMs.addAndGet(by.toMillis());
    }

    @Override
    public Instant instant() {
        return InstantSource.system().instant().plusMillis(movedMs.get());
    }
}
