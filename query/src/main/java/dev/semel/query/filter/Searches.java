package dev.semel.query.filter;

import dev.semel.query.expression.Metadata;
import java.util.Set;

/** What a filter asks for that only an index can answer. */
public final class Searches {
    private Searches() {}

    /** The metadata that an index makes of the documents it finds for the filter. */
    public static Set<String> metadata(Filter filter) {
        if (Nearness.of(filter) != null) {
            return Metadata.OF_SEARCHES;
        }
        return TextPlacement.isIn(filter) ? Set.of(Metadata.TEXT_SCORE) : Set.of();
    }
}
