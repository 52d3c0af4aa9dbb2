package dev.semel.server.session;

/**
 * Session transactions in numbers: those that are open, and all since the start of the server.
 *
 * @param active of the open ones, those in which a command works
 */
public record TransactionCounts(long open, long active, long started, long committed, long aborted) {}
