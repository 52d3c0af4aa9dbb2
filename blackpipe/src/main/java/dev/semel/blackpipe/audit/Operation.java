package dev.semel.blackpipe.audit;

/** What is audited. It fails by throwing; an interrupt tells it to end. */
@FunctionalInterface
public interface Operation {
    /** Uses the database that the connection string names, which is a fresh one for each run. */
    void run(String uri) throws Exception;
}
