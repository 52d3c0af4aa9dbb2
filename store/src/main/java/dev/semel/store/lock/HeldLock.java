package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;

/** A lock somebody has. A point is a range of one key. */
public record HeldLock(long owner, int space, KeyRange range, LockMode mode) {}
