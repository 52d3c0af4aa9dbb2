package dev.semel.server.commands;

import dev.semel.server.once.RecordRows;
import dev.semel.server.statement.Views;
import dev.semel.store.Snapshot;
import dev.semel.wire.Namespace;
import java.util.function.Function;

/** What the name that a read command carries stands for. */
sealed interface ReadSource {
    /** A collection; one that does not exist reads as an empty one. */
    record Stored(Namespace namespace) implements ReadSource {}

    record View(Views.Resolved resolved) implements ReadSource {}

    /** {@code local.oplog.rs}, on a member of a replica set. */
    record Oplog() implements ReadSource {}

    /** A {@link ConfigView}. */
    record Records(Function<Snapshot, RecordRows> rows) implements ReadSource {}
}
