package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of the updates and replacements of a client's {@code bulkWrite}. */
public abstract sealed class ClientChangeOptions<S extends ClientChangeOptions<S>> extends ClientStatementOptions<S>
        permits ClientUpdateOneOptions, ClientUpdateManyOptions, ClientReplaceOneOptions {
    private boolean upsert;
    private @Nullable List<? extends Bson> arrayFilters;
    private @Nullable Bson sort;

    /** Whether to insert a document if none matches. */
    public boolean isUpsert() {
        return upsert;
    }

    public S upsert(boolean value) {
        upsert = value;
        return self();
    }

    /** The array filters: the elements that {@code $[name]} refers to; null for a replacement. */
    public final @Nullable List<? extends Bson> getArrayFilters() {
        return arrayFilters;
    }

    final S filterArrays(@Nullable List<? extends Bson> value) {
        arrayFilters = value;
        return self();
    }

    /** The sort order; the first of several matching documents is used; null for an update of all documents. */
    public final @Nullable Bson getSort() {
        return sort;
    }

    final S inOrder(@Nullable Bson value) {
        sort = value;
        return self();
    }
}
