package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of {@code $graphLookup}. */
public final class GraphLookupOptions {
    private @Nullable String depthField;
    private @Nullable Integer maxDepth;
    private @Nullable Bson restrictSearchWithMatch;

    /** The field of each document found that gets the number of steps. */
    public @Nullable String getDepthField() {
        return depthField;
    }

    public GraphLookupOptions depthField(@Nullable String value) {
        depthField = value;
        return this;
    }

    public @Nullable Integer getMaxDepth() {
        return maxDepth;
    }

    public GraphLookupOptions maxDepth(@Nullable Integer value) {
        maxDepth = value;
        return this;
    }

    /** A filter that documents must match to be found. */
    public @Nullable Bson getRestrictSearchWithMatch() {
        return restrictSearchWithMatch;
    }

    public GraphLookupOptions restrictSearchWithMatch(@Nullable Bson value) {
        restrictSearchWithMatch = value;
        return this;
    }
}
