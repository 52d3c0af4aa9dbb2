package dev.semel.server.commands;

import dev.semel.query.pipeline.Others;
import dev.semel.query.value.Collation;
import dev.semel.server.catalog.Collection;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A collection in the snapshot of an aggregation.
 *
 * @param collation under which values are compared
 */
record NeighbourById(Collection collection, Collation collation, Snapshot snapshot, CurrentCall current)
        implements Others.ById {
    @Override
    public String index() {
        return collection.indexes().getFirst().name();
    }

    @Override
    public byte @Nullable [] key(Value id) {
        // These cannot be an _id, and what they equal is not found by a key.
        boolean isOther = id instanceof Value.Array || id instanceof Value.Regex || id.equals(Value.UNDEFINED);
        return !isOther && collection.identifies(id, collation) ? collection.key(id) : null;
    }

    @Override
    public List<@Nullable RawDocument> get(List<byte[]> keys) {
        List<byte @Nullable []> found = snapshot.get(Table.DOCUMENTS, keys);
        Call call = current.call();
        int index = collection.indexes().getFirst().number();
        call.count(call.counters().indexUses.of(index), found.size());
        return found.stream()
                .<@Nullable RawDocument>map(each -> each == null ? null : RawDocument.of(each))
                .toList();
    }
}
