package dev.semel.blackpipe.audit;

/** Checks the data after a run. */
@FunctionalInterface
public interface Invariant {
    /**
     * How many times the operation's effect is in the database that the connection string names; once is correct.
     * Throws {@link PartlyApplied} if only a part of the effect is there.
     */
    long timesApplied(String uri) throws Exception;
}
