package dev.semel.server.oplog;

import dev.semel.wire.Namespace;

/** Of which changes somebody who follows the log wants to hear. Others may be shown to him as well. */
public sealed interface Interest {
    Interest EVERYTHING = new Everything();

    record Everything() implements Interest {}

    record OfDatabase(String database) implements Interest {}

    record OfCollection(Namespace collection) implements Interest {}
}
