package dev.semel.server.changes;

import dev.semel.query.delta.DeltaApplication;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.store.Snapshot;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** Whole documents for events of which the log has only a part. */
final class Images {
    private static final ErrorCode NO_MATCHING_DOCUMENT = new ErrorCode(47, "NoMatchingDocument");

    private final Transactions transactions;
    private final Catalog catalog;

    Images(Transactions transactions, Catalog catalog) {
        this.transactions = transactions;
        this.catalog = catalog;
    }

    /** The document as it is now and will be after a power loss; null if it, or its collection, is gone. */
    @Nullable
    RawDocument current(Namespace namespace, @Nullable Value uuid, Value id, Interruption interruption) {
        try (Snapshot snapshot = transactions.snapshot()) {
            Collection collection = catalog.find(namespace, snapshot);
            if (collection == null || !collection.uuidValue().equals(uuid)) {
                return null;
            }
            RawDocument found = collection.document(snapshot, collection.key(id));
            transactions.awaitDurable(snapshot.clusterTime(), interruption);
            return found;
        }
    }

    /** What an update has left; null if it is not known what it has changed. */
    static @Nullable RawDocument after(@Nullable RawDocument before, RawDocument difference) {
        return before == null ? null : DeltaApplication.apply(before, difference);
    }

    static CommandException missing(String what, RawDocument key) {
        return new CommandException(
                NO_MATCHING_DOCUMENT,
                "Change stream was configured to require a %s for all update%s events, but the %s was not found"
                        + " for event: %s",
                what,
                what.equals("pre-image") ? ", delete and replace" : "",
                what,
                key);
    }
}
