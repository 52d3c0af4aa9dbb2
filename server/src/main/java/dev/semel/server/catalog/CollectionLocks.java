package dev.semel.server.catalog;

import dev.semel.store.Isolation;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.LockMode;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Locks collections against changes of their entries, for readers and for writers. */
public final class CollectionLocks {
    private final Catalog catalog;
    private final CatalogWriter writer;

    CollectionLocks(Catalog catalog, CatalogWriter writer) {
        this.catalog = catalog;
        this.writer = writer;
    }

    // ---- for readers

    /**
     * The collection of this name in a view, or null; locked, absence too, against changes of its entry until the
     * transaction ends. {@link #isNewest} says whether the lock came in time.
     */
    public @Nullable Collection lockForRead(Namespace namespace, Snapshot view, Transaction transaction) {
        Collection found = catalog.find(namespace, view);
        if (found == null) {
            transaction.lockShared(Table.CATALOG, CatalogRows.collection(namespace));
        } else {
            transaction.lockCollection(found.number(), LockMode.INTENT_SHARED);
        }
        return found;
    }

    /** Whether no other entry of this name has been committed since a view was opened. */
    public boolean isNewest(Namespace namespace, Snapshot view, Transaction transaction) {
        return !transaction.changedSince(view, Table.CATALOG, KeyRange.point(CatalogRows.collection(namespace)));
    }

    /** Fails with {@code WriteConflict} if others have taken away, or given another name to, what a transaction has seen. */
    public void requireStill(Collection seen, Transaction transaction) {
        Collection now = catalog.newest(seen.namespace(), transaction);
        if (now == null || now.number() != seen.number()) {
            throw takenAway(seen.namespace(), transaction);
        }
    }

    // ---- for writers

    /**
     * The newest collection of this name, locked against changes of its entry until the transaction ends, or null if
     * there is none.
     */
    public @Nullable Collection forWrite(Namespace namespace, Transaction transaction) {
        Collection found = catalog.newest(namespace, transaction);
        while (found != null) {
            transaction.lockCollection(found.number(), LockMode.INTENT_EXCLUSIVE);
            Collection now = catalog.newest(namespace, transaction);
            if (now != null && isSame(found, now)) {
                now.requireDocuments();
                requireVisible(now, transaction);
                return now;
            }
            found = now;
        }
        Names.checkTarget(namespace);
        requireNoneSeen(namespace, transaction);
        return isLockedAbsence(namespace, transaction) ? null : forWrite(namespace, transaction);
    }

    /** That there is no such collection is something a serializable transaction has read. */
    private boolean isLockedAbsence(Namespace namespace, Transaction transaction) {
        if (transaction.isolation() != Isolation.SERIALIZABLE) {
            return true;
        }
        transaction.lockShared(Table.CATALOG, CatalogRows.collection(namespace));
        return catalog.newest(namespace, transaction) == null;
    }

    /** The same, and the collection comes into being, in the same transaction, if there is none. */
    public Collection forInsert(Namespace namespace, Transaction transaction) {
        Collection found = forWrite(namespace, transaction);
        if (found != null) {
            return found;
        }
        Collection created = writer.create(namespace, RawDocument.EMPTY, transaction);
        if (created != null) {
            return created;
        }
        // Another transaction was faster.
        return forInsert(namespace, transaction);
    }

    private static boolean isSame(Collection a, @Nullable Collection b) {
        return b != null
                && (a == b || Arrays.equals(a.entry().toRow(), b.entry().toRow()));
    }

    /**
     * A collection that a snapshot transaction cannot see is not the one it means to write to. And with an index that it sees and that
     * is not kept any more, it would look for what it writes itself.
     */
    private void requireVisible(Collection newest, Transaction transaction) {
        if (transaction.isolation() != Isolation.SNAPSHOT) {
            return;
        }
        try (Snapshot view = transaction.view()) {
            Collection seen = catalog.find(newest.namespace(), view);
            if (seen == null || seen.number() != newest.number()) {
                throw invisible(newest.namespace(), transaction);
            }
            for (Index each : seen.secondary()) {
                if (!newest.maintains(each)) {
                    throw transaction.writeConflict(
                            "Index '%s' of collection '%s' was dropped after this transaction's snapshot"
                                    .formatted(each.name(), newest.namespace()));
                }
            }
        }
    }

    /** Nor is one that it sees, and that others have taken away, as good as absent. */
    void requireNoneSeen(Namespace namespace, Transaction transaction) {
        if (transaction.isolation() != Isolation.SNAPSHOT) {
            return;
        }
        try (Snapshot view = transaction.view()) {
            if (catalog.find(namespace, view) != null) {
                throw takenAway(namespace, transaction);
            }
        }
    }

    private static CommandException takenAway(Namespace namespace, Transaction transaction) {
        return transaction.writeConflict(
                "Collection '" + namespace + "' was dropped or renamed after this transaction's snapshot");
    }

    private static CommandException invisible(Namespace namespace, Transaction transaction) {
        return transaction.kind() == LockPolicy.Kind.TOKUMX_TRANSACTION
                ? new CommandException(
                        ErrorCode.location(16768),
                        "%s was created after this transaction's snapshot. Roll the transaction back and run it again",
                        namespace)
                : transaction.writeConflict();
    }
}
