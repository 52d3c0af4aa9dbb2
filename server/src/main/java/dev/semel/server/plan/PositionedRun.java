package dev.semel.server.plan;

import dev.semel.server.catalog.Index;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/** Stands on a document that it has found by itself, without an index unless it says otherwise. */
abstract sealed class PositionedRun extends Run
        permits CollectionRun, InsertionRun, IndexRun, IntersectionRun, MergeRun, NearRun, SearchRun {
    private byte @Nullable [] key;
    private @Nullable RawDocument document;

    PositionedRun(Reading reading) {
        super(reading);
    }

    /** The document is null where it is not needed; the key where {@link #key} finds it. */
    void standOn(byte @Nullable [] found, @Nullable RawDocument its) {
        key = found;
        document = its;
    }

    @Override
    public final RawDocument document() {
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
}
