/**
 * Locks on points and ranges of key spaces: which owner holds what, which waits for which, which must not wait any longer.
 * Knows transactions only as {@link dev.semel.store.lock.LockOwner owners}. Start at {@link dev.semel.store.lock.LockTable}.
 */
@NullMarked
package dev.semel.store.lock;

import org.jspecify.annotations.NullMarked;
