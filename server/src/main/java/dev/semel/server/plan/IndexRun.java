package dev.semel.server.plan;

import dev.semel.query.filter.Filter;
import dev.semel.server.catalog.Index;
import dev.semel.store.Table;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The documents to which a part of an index leads, each once. */
final class IndexRun extends Run {
    private final Plan.IndexScan plan;
    private final Index index;
    private final KeyScan keys;
    private final boolean takesAll;

    /** A document may have several keys in an index that has met arrays. */
    private final @Nullable Seen seen;

    private byte @Nullable [] key;
    private @Nullable RawDocument document;
    private long fetched;
    private long entries;

    IndexRun(Plan.IndexScan plan, Reading reading) {
        super(reading);
        this.plan = plan;
        this.index = plan.index();
        this.keys = new KeyScan(index, plan.range(), plan.reverse(), reading);
        this.takesAll = plan.filter() instanceof Filter.Always(boolean answer) && answer;
        this.seen = plan.bounds().isMultikey() ? new Seen() : null;
    }

    @Override
    boolean move() {
        while (keys.next()) {
            byte[] found = index.documentKey(keys.key());
            if (seen != null && !seen.add(found)) {
                continue;
            }
            entries++;
            if (!plan.fetches()) {
                key = found;
                return true;
            }
            fetched++;
            RawDocument candidate = fetch(found);
            if (takesAll || plan.filter().matches(candidate)) {
                key = found;
                document = candidate;
                return true;
            }
        }
        return false;
    }

    private RawDocument fetch(byte[] found) {
        if (index.isId()) {
            return RawDocument.of(keys.value());
        }
        reading().fetched(found);
        byte[] bytes = reading().snapshot().get(Table.DOCUMENTS, found);
        if (bytes == null) {
            throw new IllegalStateException("an entry of " + index + " leads to no document");
        }
        return RawDocument.of(bytes);
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
        return keys.key();
    }

    @Override
    Index index() {
        return index;
    }

    @Override
    public long keysExamined() {
        return keys.examined();
    }

    @Override
    public long documentsExamined() {
        return fetched;
    }

    @Override
    void addExtents(List<Extent> extents) {
        extents.add(new Extent(index.table(), keys.looked(atEnd())));
        Extents.addArrays(index, extents);
    }

    /** How many entries led to a document that was not known yet. */
    long entries() {
        return entries;
    }

    @Override
    public void pause() {
        keys.close();
    }
}
