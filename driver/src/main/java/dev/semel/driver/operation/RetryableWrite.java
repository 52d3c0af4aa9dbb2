package dev.semel.driver.operation;

import dev.semel.driver.execution.Operation;

/** A write that a server recognises when it is sent again. Whether the client waits for its reply is up to the write concern. */
interface RetryableWrite<R> extends Operation<R> {
    @Override
    default Kind kind() {
        return Kind.WRITE;
    }

    @Override
    default boolean isRetryable() {
        return true;
    }

    @Override
    default boolean mayBeUnacknowledged() {
        return true;
    }
}
