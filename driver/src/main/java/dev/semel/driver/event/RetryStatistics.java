package dev.semel.driver.event;

/**
 * How a client's operations have fared since it was opened.
 *
 * @param retriedOperations operations that were tried more than once
 * @param rescuedOperations those of them that succeeded in the end
 * @param givenUpOperations those of them that failed all the same
 * @param retries attempts beyond the first ones
 */
public record RetryStatistics(long retriedOperations, long rescuedOperations, long givenUpOperations, long retries) {}
