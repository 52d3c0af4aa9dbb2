package dev.semel.server.plan;

import dev.semel.query.filter.Filter;
import dev.semel.server.catalog.Index;
import dev.semel.store.Scan;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every document of a collection. */
final class CollectionRun extends Run {
    private final Plan.CollectionScan plan;
    private final boolean takesAll;
    private @Nullable Scan scan;
    private byte @Nullable [] key;
    private @Nullable RawDocument document;
    private long examined;

    CollectionRun(Plan.CollectionScan plan, Reading reading) {
        super(reading);
        this.plan = plan;
        this.takesAll = plan.filter() instanceof Filter.Always(boolean answer) && answer;
    }

    @Override
    boolean move() {
        Scan from = scan == null ? open() : scan;
        while (from.next()) {
            reading().count();
            examined++;
            if (takesAll || plan.filter().matches(from.transientValue(), 0)) {
                key = from.key();
                document = RawDocument.of(from.value());
                return true;
            }
        }
        return false;
    }

    private Scan open() {
        Scan opened = reading().snapshot().scan(Table.DOCUMENTS, rest(), plan.reverse());
        scan = opened;
        return opened;
    }

    private KeyRange rest() {
        KeyRange all = plan.collection().documents();
        byte[] last = key;
        if (last == null) {
            return all;
        }
        return plan.reverse() ? new KeyRange(all.low(), last) : new KeyRange(KeyRange.successor(last), all.high());
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

    @Override
    void addExtents(List<Extent> extents) {
        KeyRange all = plan.collection().documents();
        byte[] last = key;
        if (atEnd() || last == null) {
            extents.add(new Extent(Table.DOCUMENTS, all));
        } else if (plan.reverse()) {
            extents.add(new Extent(Table.DOCUMENTS, new KeyRange(last, all.high())));
        } else {
            extents.add(new Extent(Table.DOCUMENTS, new KeyRange(all.low(), KeyRange.successor(last))));
        }
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
