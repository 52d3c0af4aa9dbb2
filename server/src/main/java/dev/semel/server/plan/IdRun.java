package dev.semel.server.plan;

import dev.semel.server.catalog.Index;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One document by its {@code _id}: no scan, no state. */
final class IdRun extends Run {
    private final Plan.ById plan;
    private boolean done;
    private long examined;
    private @Nullable RawDocument document;

    IdRun(Plan.ById plan, Reading reading) {
        super(reading);
        this.plan = plan;
    }

    @Override
    boolean move() {
        if (done) {
            return false;
        }
        done = true;
        reading().count();
        byte[] found = reading().snapshot().get(Table.DOCUMENTS, plan.key());
        if (found == null) {
            return false;
        }
        examined++;
        document = RawDocument.of(found);
        return plan.filter().matches(document);
    }

    @Override
    public boolean isExhausted() {
        return done;
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
        return plan.key();
    }

    @Override
    byte @Nullable [] entryKey() {
        return plan.key();
    }

    @Override
    Index index() {
        return plan.collection().indexes().getFirst();
    }

    @Override
    void addExtents(List<Extent> extents) {
        extents.add(new Extent(Table.DOCUMENTS, KeyRange.point(plan.key())));
    }

    @Override
    public long keysExamined() {
        return examined;
    }

    @Override
    public long documentsExamined() {
        return examined;
    }
}
