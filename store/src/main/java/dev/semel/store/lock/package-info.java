/**
 * Locks on points and ranges of key spaces: who holds what, who waits for whom, who must not wait any longer. Knows
 * transactions only as {@link dev.semel.store.lock.LockOwner owners}. Start at {@link dev.semel.store.lock.LockTable}.
 */
@NullMarked
package dev.semel.store.lock;

import org.jspecify.annotations.NullMarked;
