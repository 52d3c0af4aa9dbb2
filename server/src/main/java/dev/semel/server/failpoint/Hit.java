package dev.semel.server.failpoint;

/**
 * A fail point has been entered.
 *
 * @param number how often it has since it was set, this time included
 */
public record Hit<P extends FailPoint>(P point, long number) {}
