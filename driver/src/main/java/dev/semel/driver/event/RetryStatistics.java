package dev.semel.driver.event;

/**
 * Counters of a client's retries since it was opened.
 *
 * @param retriedOperations operations with more than one attempt
 * @param rescuedOperations those of them that succeeded
 * @param givenUpOperations those of them that failed
 * @param retries attempts beyond the first ones
 */
public record RetryStatistics(long retriedOperations, long rescuedOperations, long givenUpOperations, long retries) {}
