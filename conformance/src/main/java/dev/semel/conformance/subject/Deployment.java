package dev.semel.conformance.subject;

import dev.semel.wire.bson.RawDocument;

/** What clients connect to. */
sealed interface Deployment extends AutoCloseable permits OneServer, ThreeMembers {
    String connectionString();

    /** On the server that accepts writes, without a driver. */
    RawDocument run(RawDocument command);

    @Override
    void close();
}
