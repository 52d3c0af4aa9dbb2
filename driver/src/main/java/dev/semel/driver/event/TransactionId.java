package dev.semel.driver.event;

import java.util.UUID;

/** What a server recognises the retry of a write by: the session and a number that only grows within it. */
public record TransactionId(UUID sessionId, long number) {}
