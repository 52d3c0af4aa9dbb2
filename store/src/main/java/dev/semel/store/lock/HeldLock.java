package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;

/** A lock that is held. A point is a range of one key. */
public record HeldLock(long owner, int space, KeyRange range, LockMode mode) {}
