package dev.semel.server.session;

import java.time.Duration;
import java.time.Instant;

/**
 * What others may know of an open session transaction.
 *
 * @param readTime the cluster time that it sees
 * @param active of the time it is open, how long commands have worked in it
 * @param expires when it will be aborted if it is still open
 */
public record TransactionReport(
        SessionId session,
        long txnNumber,
        long readTime,
        Instant begun,
        Duration open,
        Duration active,
        Instant expires,
        boolean isActive) {}
