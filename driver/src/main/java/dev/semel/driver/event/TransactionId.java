package dev.semel.driver.event;

import java.util.UUID;

/** Identifies a write for retries: the session and a transaction number that only increases. */
public record TransactionId(UUID sessionId, long number) {}
