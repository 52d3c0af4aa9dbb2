package dev.semel.server.commands;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.pipeline.Pipelines;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.Documents;
import dev.semel.server.cursor.Piped;
import dev.semel.server.once.RecordRows;
import dev.semel.server.replica.StoredConfig;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the server keeps of writes that may come again, and the configuration of its replica set, read as if they were
 * collections.
 */
final class ConfigView implements Documents {
    private static final Map<Namespace, Function<Snapshot, RecordRows>> VIEWS = Map.of(
            new Namespace("config", "transactions"),
            RecordRows::ofSessions,
            new Namespace("config", "onceTokens"),
            RecordRows::ofTokens,
            StoredConfig.NAMESPACE,
            ConfigView::configuration);

    private final RecordRows rows;

    private ConfigView(RecordRows rows) {
        this.rows = rows;
    }

    private static RecordRows configuration(Snapshot snapshot) {
        return new RecordRows(snapshot, Table.CATALOG, StoredConfig.ROW, (key, document) -> RawDocument.of(document));
    }

    /** Null if nothing is shown under this name. */
    static @Nullable Function<Snapshot, RecordRows> find(Namespace name) {
        return VIEWS.get(name);
    }

    /** What these stages make of it; takes over the snapshot. */
    static Documents open(
            Function<Snapshot, RecordRows> rows,
            List<RawDocument> stages,
            FilterScope scope,
            boolean allowDiskUse,
            Snapshot snapshot) {
        boolean opened = false;
        try {
            Documents documents =
                    new Piped(new ConfigView(rows.apply(snapshot)), Pipelines.parse(stages, scope), allowDiskUse);
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
