package dev.semel.server.plan;

import dev.semel.query.filter.Filter;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.InsertionOrder;
import dev.semel.store.Scan;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every document of a capped collection, in the order in which they were inserted. */
final class InsertionRun extends Run {
    private final Plan.CollectionScan plan;
    private final InsertionOrder order;
    private final Filter filter;
    private @Nullable Scan scan;
    private byte @Nullable [] entry;
    private byte @Nullable [] key;
    private @Nullable RawDocument document;
    private long examined;

    InsertionRun(Plan.CollectionScan plan, InsertionOrder order, Reading reading) {
        super(reading);
        this.plan = plan;
        this.order = order;
        this.filter = plan.filter();
    }

    @Override
    boolean move() {
        Scan from = scan == null ? open() : scan;
        while (from.next()) {
            reading().count();
            examined++;
            byte[] found = order.documentKey(from.key());
            byte[] bytes = reading().snapshot().get(Table.DOCUMENTS, found);
            if (bytes == null) {
                throw new IllegalStateException("a place in " + plan.collection() + " leads to no document");
            }
            if (filter.matches(bytes, 0)) {
                entry = from.key();
                key = found;
                document = RawDocument.of(bytes);
                return true;
            }
        }
        return false;
    }

    private Scan open() {
        KeyRange all = order.entries();
        byte[] last = entry;
        KeyRange rest = last == null
                ? all
                : plan.reverse() ? new KeyRange(all.low(), last) : new KeyRange(KeyRange.successor(last), all.high());
        Scan opened = reading().snapshot().scan(Table.INDEXES, rest, plan.reverse());
        scan = opened;
        return opened;
    }

    @Override
    public RawDocument document() {
        RawDocument current = document;
        if (current == null) {
            throw new IllegalStateException("no document");
        }
        return current;
    }

    @Override
    public byte[] key() {
        byte[] current = key;
        if (current == null) {
            throw new IllegalStateException("no document");
        }
        return current;
    }

    @Override
    byte @Nullable [] entryKey() {
        return null;
    }

    @Override
    @Nullable
    Index index() {
        return null;
    }

    @Override
    public long keysExamined() {
        return 0;
    }

    @Override
    public long documentsExamined() {
        return examined;
    }

    /** Its order is not that of the documents' keys: whatever it has seen, all of them count as looked at. */
    @Override
    void addExtents(List<Extent> extents) {
        extents.add(new Extent(Table.DOCUMENTS, plan.collection().documents()));
    }

    @Override
    public void pause() {
        Scan open = scan;
        if (open != null) {
            open.close();
            scan = null;
        }
    }
}
