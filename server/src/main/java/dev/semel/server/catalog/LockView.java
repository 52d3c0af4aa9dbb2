package dev.semel.server.catalog;

import dev.semel.store.Isolation;
import dev.semel.store.LockedRange;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.bson.BsonWriter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shows locks as people know what is locked: an index of a collection, and values of its fields. */
public final class LockView {
    private final Map<Integer, Collection> collections = new HashMap<>();
    private final Map<Integer, Named> indexes = new HashMap<>();

    private record Named(Collection collection, Index index) {}

    private LockView(List<Collection> all) {
        for (Collection each : all) {
            collections.put(each.number(), each);
            each.maintained().forEach(index -> indexes.put(index.number(), new Named(each, index)));
        }
    }

    /** With the current names, including those that are not committed. */
    public static LockView of(Catalog catalog) {
        LockPolicy noLocks = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ZERO);
        try (Transaction look =
                        catalog.transactions().begin(Isolation.READ_UNCOMMITTED, noLocks, Interruption.unlimited());
                Snapshot view = look.view()) {
            return new LockView(catalog.all(view));
        }
    }

    /** Whether it is about documents or index entries, not about what exists. */
    public static boolean isRow(LockedRange locked) {
        return locked.table() == Table.DOCUMENTS || locked.table() == Table.INDEXES;
    }

    /** Adds {@code index} and {@code bounds}. */
    public void write(BsonWriter out, LockedRange locked) {
        out.put("index", name(locked));
        out.startArray("bounds");
        if (isRow(locked)) {
            LockBounds bounds = bounds(locked);
            out.add(bounds.left(locked.range())).add(bounds.right(locked.range()));
        } else {
            out.add(LockBounds.LOWEST).add(LockBounds.HIGHEST);
        }
        out.end();
    }

    private LockBounds bounds(LockedRange locked) {
        if (locked.table() == Table.DOCUMENTS) {
            return LockBounds.OF_DOCUMENTS;
        }
        Named found = indexes.get(number(locked.range()));
        return found == null ? LockBounds.UNKNOWN : LockBounds.of(found.index);
    }

    private String name(LockedRange locked) {
        KeyRange range = locked.range();
        Table table = locked.table();
        if (table == null) {
            long number = ByteBuffer.wrap(range.low()).getLong();
            return ofCollection((int) number);
        }
        return switch (table) {
            case DOCUMENTS -> ofCollection(number(range)) + ".$_id_";
            case INDEXES -> ofIndex(number(range));
            case CATALOG -> ofCatalog(range.low());
            case OPLOG, RECORDS, UNDO, HELD, CHUNKS -> table.toString();
        };
    }

    private String ofCollection(int number) {
        Collection found = collections.get(number);
        return found == null ? "?" : found.namespace().toString();
    }

    private String ofIndex(int number) {
        Named found = indexes.get(number);
        return found == null ? "?" : found.collection.namespace() + ".$" + found.index.name();
    }

    private String ofCatalog(byte[] row) {
        return switch (row[0]) {
            case 'C' -> CatalogRows.namespace(row).toString();
            case 'M' -> ofIndex(CatalogRows.number(row));
            default -> "?";
        };
    }

    private static int number(KeyRange range) {
        return range.low().length < Integer.BYTES
                ? 0
                : ByteBuffer.wrap(range.low()).getInt();
    }
}
