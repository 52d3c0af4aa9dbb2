package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.time.Instant;
import java.util.List;

/** A lock somebody waits for, and the owners that are in the way. */
public record PendingLock(
        long requester, List<Long> blockers, Instant since, int space, KeyRange range, LockMode mode) {}
