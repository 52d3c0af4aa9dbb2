package dev.semel.store.lock;

/**
 * Counters of a lock table.
 *
 * @param pending requests that wait now
 * @param bytes what the locks take in memory, roughly
 * @param bytesMax beyond which locks are merged, and if that does not help refused
 * @param waits requests that had to wait
 * @param longWaits those that waited for more than a second, and {@code longWaitMicros} how long in sum
 * @param timeouts requests refused because their time was up
 * @param deadlocks cycles found and broken
 * @param escalations times that locks were merged to save memory, and {@code escalationMicros} how long that took
 */
public record LockStatistics(
        int pending,
        long bytes,
        long bytesMax,
        long waits,
        long longWaits,
        long longWaitMicros,
        long timeouts,
        long deadlocks,
        long escalations,
        long escalationMicros) {}
