package dev.semel.server.commands;

import dev.semel.query.value.Collation;
import dev.semel.server.changes.OplogReads;
import dev.semel.server.once.RecordRows;
import dev.semel.server.statement.Views;
import dev.semel.store.Snapshot;
import dev.semel.wire.Namespace;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Resolves the name that a read command carries: the only place that knows what can be read beside collections. */
final class ReadSources {
    private final Views views;
    private final OplogReads oplog;

    ReadSources(Views views, OplogReads oplog) {
        this.views = views;
        this.oplog = oplog;
    }

    /** @param collation what the command asks for: a view has one of its own and allows no other */
    ReadSource resolve(Namespace namespace, @Nullable Collation collation) {
        if (oplog.has(namespace)) {
            return new ReadSource.Oplog();
        }
        Function<Snapshot, RecordRows> rows = ConfigView.find(namespace);
        if (rows != null) {
            return new ReadSource.Records(rows);
        }
        Views.Resolved view = views.find(namespace, collation);
        return view == null ? new ReadSource.Stored(namespace) : new ReadSource.View(view);
    }
}
