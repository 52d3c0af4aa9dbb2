package dev.semel.server.follow;

import dev.semel.wire.Namespace;

/** Which changes a follower wants to be woken for. */
public sealed interface Interest {
    Interest EVERYTHING = new Everything();

    record Everything() implements Interest {}

    record OfDatabase(String database) implements Interest {}

    record OfCollection(Namespace collection) implements Interest {}
}
