package dev.semel.server.statement;

import dev.semel.query.filter.Filter;
import dev.semel.query.value.Collation;
import dev.semel.server.catalog.Collection;
import dev.semel.server.plan.Query;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * Which documents a statement means.
 *
 * @param id the {@code _id} that they must have, or null if the filter names none
 * @param onlyId the same if that is all that is asked: then a document with it is the one
 * @param collation under which the {@code _id} is meant
 */
public record Target(
        Query query, @Nullable Value id, @Nullable Value onlyId, Collation collation) {

    /** The one document that is meant, if this is known before looking; null otherwise. */
    byte @Nullable [] onlyKey(Collection collection) {
        return onlyId == null || !collection.identifies(onlyId, collation) ? null : collection.key(onlyId);
    }

    /** The one document that can be meant. */
    byte @Nullable [] key(Collection collection) {
        return id == null || !collection.identifies(id, collation) ? null : collection.key(id);
    }

    public Filter filter() {
        return query.filter();
    }
}
