package dev.semel.driver;

/** The callback of {@link ClientSession#withTransaction}; it may run more than once. */
@FunctionalInterface
public interface TransactionBody<T> {
    T execute();
}
