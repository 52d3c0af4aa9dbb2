package dev.semel.bench.query;

/** A server that is asked. For several threads. */
interface Asked extends AutoCloseable {
    /** Stores the documents and builds the indexes that the server has; the questions that it cannot answer are left out. */
    void prepare(Things things);

    boolean answers(Question question);

    /** How many results there were, all of which were read; a count is its own number. */
    long ask(Question question, int about);

    @Override
    void close();
}
