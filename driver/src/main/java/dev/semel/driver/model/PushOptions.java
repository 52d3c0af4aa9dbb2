package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of {@code $push}: position, order, and the number of values to keep. */
public final class PushOptions {
    private @Nullable Integer position;
    private @Nullable Integer slice;
    private @Nullable Integer sort;
    private @Nullable Bson sortDocument;

    public @Nullable Integer getPosition() {
        return position;
    }

    public PushOptions position(@Nullable Integer value) {
        position = value;
        return this;
    }

    /** How many values to keep: the first ones, or with a negative number the last ones. */
    public @Nullable Integer getSlice() {
        return slice;
    }

    public PushOptions slice(@Nullable Integer value) {
        slice = value;
        return this;
    }

    /** The direction in which whole values are sorted. */
    public @Nullable Integer getSort() {
        return sort;
    }

    /** Excludes {@link #sortDocument}. */
    public PushOptions sort(@Nullable Integer value) {
        if (sortDocument != null) {
            throw new IllegalStateException("sort can not be set if sortDocument already is");
        }
        sort = value;
        return this;
    }

    /** The fields by which documents in the array are sorted. */
    public @Nullable Bson getSortDocument() {
        return sortDocument;
    }

    /** Excludes {@link #sort}. */
    public PushOptions sortDocument(@Nullable Bson value) {
        if (sort != null) {
            throw new IllegalStateException("sortDocument can not be set if sort already is");
        }
        sortDocument = value;
        return this;
    }
}
