package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.time.Instant;
import java.util.List;

/** A lock that is waited for, and the owners that conflict with it. */
public record PendingLock(
        long requester, List<Long> blockers, Instant since, int space, KeyRange range, LockMode mode) {}
