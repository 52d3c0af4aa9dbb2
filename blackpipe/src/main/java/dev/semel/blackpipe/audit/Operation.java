package dev.semel.blackpipe.audit;

/** The operation that is audited. It reports failure by throwing; an interrupt asks it to stop. */
@FunctionalInterface
public interface Operation {
    /** Runs with the database that the connection string names; each run has a new one. */
    void run(String uri) throws Exception;
}
