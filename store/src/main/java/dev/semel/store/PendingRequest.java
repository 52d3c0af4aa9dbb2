package dev.semel.store;

import java.time.Instant;
import java.util.List;

/** A lock that a transaction waits for, since when, and the transactions in its way. */
public record PendingRequest(long requester, List<Long> blockers, Instant since, LockedRange locked) {}
