package dev.semel.server.statement;

import dev.semel.query.filter.Filter;
import dev.semel.server.plan.Query;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * Which documents a statement means.
 *
 * @param id the {@code _id} that they must have, or null if the filter names none
 * @param onlyId the same if that is all that is asked: then a document with it is the one
 */
public record Target(
        Query query, @Nullable Value id, @Nullable Value onlyId) {
    boolean isForAll() {
        return query.limit() == 0;
    }

    public Filter filter() {
        return query.filter();
    }
}
