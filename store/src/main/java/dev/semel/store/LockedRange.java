package dev.semel.store;

import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * What is locked: a range of a table, where a point is a range of one key, or, without a table, a collection as a whole,
 * whose number is the range's first eight bytes.
 */
public record LockedRange(@Nullable Table table, KeyRange range, LockMode mode) {}
