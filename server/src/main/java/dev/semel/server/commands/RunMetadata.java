package dev.semel.server.commands;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Metadata;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.SortPattern;
import dev.semel.server.catalog.Collection;
import dev.semel.server.plan.Run;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The {@link Metadata} that a query wants of the documents it finds. */
record RunMetadata(Set<String> wanted, @Nullable SortOrder order) {
    static RunMetadata of(Set<String> wanted) {
        return new RunMetadata(wanted, null);
    }

    /** With what a {@code find} sorts by. */
    static RunMetadata of(Set<String> wanted, SortPattern sort) {
        return new RunMetadata(wanted, sort.isEmpty() ? null : new SortOrder(sort));
    }

    /** Reads documents as the shape says, which may ask the environment for their metadata. */
    Function<Run, RawDocument> before(Function<Run, RawDocument> shape, Environment environment) {
        if (wanted.isEmpty()) {
            return shape;
        }
        return run -> {
            environment.metadata(known(run));
            return shape.apply(run);
        };
    }

    private RawDocument known(Run run) {
        BsonWriter known = new BsonWriter(128);
        known.copyAll(run.metadata());
        if (wanted.contains(Metadata.INDEX_KEY)) {
            RawDocument key = run.indexKey();
            if (!key.isEmpty()) {
                known.put(Metadata.INDEX_KEY, key);
            }
        }
        if (wanted.contains(Metadata.RECORD_ID)) {
            // Documents are stored in the order of their _id, so it is what other servers' record ids are.
            known.put(Metadata.RECORD_ID, Collection.id(run.document()));
        }
        if (order != null && wanted.contains(Metadata.SORT_KEY)) {
            BsonWriter key = new BsonWriter();
            order.key(run.document()).values().forEach(key::add);
            known.put(Metadata.SORT_KEY, key.finishArray());
        }
        return known.finish();
    }
}
