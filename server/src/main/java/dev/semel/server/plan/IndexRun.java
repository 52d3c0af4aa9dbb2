package dev.semel.server.plan;

import dev.semel.query.filter.Filter;
import dev.semel.server.catalog.Index;
import dev.semel.store.Table;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The documents to which a part of an index leads, each once. */
final class IndexRun extends PositionedRun {
    private final Plan.IndexScan plan;
    private final Index index;
    private final KeyScan keys;
    private final boolean takesAll;
    private final Supply supply;

    /** A document may have several keys in an index that has met arrays. */
    private final @Nullable Seen seen;

    /** What others have found, which is not looked at again; null if there are none. */
    private final @Nullable Seen known;

    /** Null if entries are all that is looked at, or hold the documents. */
    private final @Nullable ReadAhead ahead;

    private long fetched;
    private long entries;

    /** What of null and undefined has been found already, where the last one of each is wanted. */
    private boolean hasNull;

    private boolean hasUndefined;

    IndexRun(Plan.IndexScan plan, @Nullable Seen known, Reading reading) {
        super(reading);
        this.known = known;
        this.plan = plan;
        this.index = plan.index();
        this.keys = new KeyScan(index, plan.range(), plan.reverse(), reading);
        this.supply = plan.supply();
        this.takesAll = plan.filter() instanceof Filter.Always(boolean answer) && answer;
        this.seen = plan.bounds().isMultikey() ? new Seen(plan.memory()) : null;
        this.ahead = supply instanceof Supply.Documents
                        && plan.distinct() == 0
                        && !index.isPrimary()
                        && !index.hasDocuments()
                ? new ReadAhead(
                        index, keys, reading, this::isNew, takesAll ? reading.wanted() : Long.MAX_VALUE, plan.memory())
                : null;
    }

    @Override
    boolean move() {
        return ahead == null ? moveOn() : moveOn(ahead);
    }

    private boolean moveOn(ReadAhead by) {
        while (by.next()) {
            entries++;
            fetched++;
            byte[] found = by.documentKey();
            reading().fetched(found);
            RawDocument candidate = by.document();
            if (takesAll || plan.filter().matches(candidate)) {
                standOn(found, candidate);
                return true;
            }
        }
        return false;
    }

    private boolean moveOn() {
        while (keys.next()) {
            byte[] found = index.documentKey(keys.key());
            if (!isNew(found)) {
                continue;
            }
            entries++;
            if (supply instanceof Supply.Keys) {
                standOn(found, null);
                return true;
            }
            RawDocument candidate = look(found);
            if ((takesAll || plan.filter().matches(candidate)) && (!plan.last() || isLast(candidate))) {
                standOn(found, candidate);
                passSame();
                return true;
            }
        }
        return false;
    }

    private boolean isNew(byte[] document) {
        return (known == null || !known.contains(document)) && (seen == null || seen.add(document));
    }

    /** A group takes the last document that it gets, so it must not get one that comes before. */
    private boolean isLast(RawDocument candidate) {
        if (index.beyondValues(keys.key(), plan.distinct(), true) != null) {
            return true;
        }
        Value value = plan.bounds().columns().get(plan.distinct() - 1).path().literal(candidate);
        if (value == Value.UNDEFINED) {
            boolean isFirst = !hasUndefined;
            hasUndefined = true;
            return isFirst;
        }
        boolean isFirst = !hasNull;
        hasNull = true;
        return isFirst;
    }

    /** Of the keys with the same values, one has led to a document that is wanted. */
    private void passSame() {
        if (plan.distinct() > 0) {
            byte[] beyond = index.beyondValues(keys.key(), plan.distinct(), plan.reverse());
            if (beyond != null) {
                keys.seek(beyond);
            }
        }
    }

    private RawDocument look(byte[] found) {
        if (supply instanceof Supply.Fields(var names, boolean[] columns)) {
            RawDocument fields = names.isEmpty() ? RawDocument.EMPTY : index.fields(keys.key(), keys.value(), columns);
            if (fields != null) {
                return fields;
            }
        }
        return fetch(found);
    }

    private RawDocument fetch(byte[] found) {
        if (index.isPrimary()) {
            fetched++;
            return RawDocument.of(keys.value());
        }
        reading().fetched(found);
        if (index.hasDocuments()) {
            return RawDocument.of(keys.value());
        }
        fetched++;
        byte[] bytes = reading().snapshot().get(Table.DOCUMENTS, found);
        if (bytes == null) {
            throw new IllegalStateException("an entry of " + index + " leads to no document");
        }
        return RawDocument.of(bytes);
    }

    @Override
    byte @Nullable [] entryKey() {
        return ahead == null ? keys.key() : ahead.key();
    }

    @Override
    Index index() {
        return index;
    }

    @Override
    public long keysExamined() {
        return ahead == null ? keys.examined() : ahead.examined();
    }

    @Override
    public long documentsExamined() {
        return fetched;
    }

    @Override
    void addExtents(List<Extent> extents) {
        extents.add(
                new Extent(index.table(), ahead == null ? keys.looked(atEnd()) : keys.looked(ahead.key(), atEnd())));
        Extents.addArrays(plan.bounds(), extents);
    }

    /** How many entries led to a document that was not known yet. */
    long entries() {
        return entries;
    }

    @Override
    public void pause() {
        if (ahead != null) {
            ahead.pause();
        }
        keys.close();
    }

    @Override
    public void close() {
        super.close();
        if (seen != null) {
            seen.close();
        }
    }
}
