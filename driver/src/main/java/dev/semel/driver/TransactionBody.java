package dev.semel.driver;

/** What {@link ClientSession#withTransaction} runs, perhaps more than once. */
@FunctionalInterface
public interface TransactionBody<T> {
    T execute();
}
