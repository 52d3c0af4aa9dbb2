package dev.semel.store;

import dev.semel.store.lock.LockPolicy;
import java.time.Instant;

/** What others may know of an open transaction. */
public record LiveTransaction(
        long id, Isolation isolation, LockPolicy.Kind kind, Instant begun, long writtenBytes, long snapshotTime) {}
