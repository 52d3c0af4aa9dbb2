package dev.semel.blackpipe.audit;

/** What the data says afterwards. */
@FunctionalInterface
public interface Invariant {
    /**
     * How often the operation's effect is in the database that the connection string names; once is right. Throws
     * {@link PartlyApplied} where it finds some of the effect and not the rest.
     */
    long timesApplied(String uri) throws Exception;
}
