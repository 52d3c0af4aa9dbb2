package dev.semel.server.commands;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.pipeline.Pipelines;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.Documents;
import dev.semel.server.cursor.Piped;
import dev.semel.server.once.TransactionRows;
import dev.semel.store.Snapshot;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code config.transactions}: what is stored of the sessions' transaction numbers, read as if it were a collection. */
final class TransactionsView implements Documents {
    private static final Namespace NAME = new Namespace("config", "transactions");

    private final TransactionRows rows;

    private TransactionsView(TransactionRows rows) {
        this.rows = rows;
    }

    static boolean is(Namespace collection) {
        return collection.equals(NAME);
    }

    /** What these stages make of it; takes over the snapshot. */
    static Documents open(List<RawDocument> stages, FilterScope scope, long memoryBytesMax, Snapshot snapshot) {
        boolean opened = false;
        try {
            Documents documents = new Piped(
                    new TransactionsView(new TransactionRows(snapshot)),
                    Pipelines.parse(stages, scope),
                    memoryBytesMax);
            opened = true;
            return documents;
        } finally {
            if (!opened) {
                snapshot.close();
            }
        }
    }

    @Override
    public void resume(Call call) {}

    @Override
    public @Nullable RawDocument next() {
        return rows.next();
    }

    @Override
    public boolean atEnd() {
        return false;
    }

    @Override
    public void pause() {
        rows.pause();
    }

    @Override
    public void close() {
        rows.close();
    }
}
