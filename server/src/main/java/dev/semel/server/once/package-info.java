/**
 * The promise: a write that is sent again happens once. What is remembered of retryable writes and committed transactions
 * is stored in the commit it tells of. Start at {@link dev.semel.server.once.TransactionTable}.
 */
@NullMarked
package dev.semel.server.once;

import org.jspecify.annotations.NullMarked;
