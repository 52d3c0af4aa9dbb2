package dev.semel.server.catalog;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes capped collections of the newest documents of others. The copy is made beside, in a temporary collection, and takes
 * its name in one commit; until then nobody writes to the original.
 */
public final class CappedCopies {
    private static final int BATCH_BYTES = 1 << 20;
    private static final int BATCH_DOCUMENTS = 500;
    private static final Set<String> LIMITS = Set.of("capped", "size", "max", TemporaryCollections.TEMPORARY);

    private final Ddl ddl;
    private final Catalog catalog;
    private final Supplier<UUID> uuids;

    public CappedCopies(Ddl ddl, Supplier<UUID> uuids) {
        this.ddl = ddl;
        this.catalog = ddl.catalog();
        this.uuids = uuids;
    }

    /** Puts the copy in the place of the original, whose other indexes are gone then. */
    public Ddl.Done<Boolean> convert(Namespace namespace, long bytesMax, Interruption interruption) {
        return ddl.run(Ddl.Scope.own(interruption), change -> {
            Collection source = source(namespace, ddl.lock(namespace, change.transaction()));
            return copied(source, bytesMax, namespace, source, change, interruption);
        });
    }

    /** Makes the copy under another name. */
    public Ddl.Done<Boolean> copy(Namespace from, Namespace to, long bytesMax, Interruption interruption) {
        Names.checkNew(to);
        return ddl.run(Ddl.Scope.own(interruption), change -> {
            Transaction transaction = change.transaction();
            catalog.writer().lockName(to, transaction);
            Collection source = source(from, catalog.newest(from, transaction));
            if (catalog.newest(to, transaction) != null) {
                throw new CommandException(
                        ErrorCode.NamespaceExists,
                        "cloneCollectionAsCapped failed - destination collection %s already exists. source collection:"
                                + " %s",
                        to,
                        from);
            }
            transaction.lockCollection(source.number(), LockMode.SHARED);
            return copied(source, bytesMax, to, null, change, interruption);
        });
    }

    private static Collection source(Namespace namespace, @Nullable Collection found) {
        if (found == null) {
            throw new CommandException(ErrorCode.NamespaceNotFound, "source collection %s does not exist", namespace);
        }
        found.requireDocuments();
        if (found.timeSeries() != null || found.isClustered()) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "%s has an order of its own, so it cannot become a capped collection",
                    namespace);
        }
        return found;
    }

    private boolean copied(
            Collection source,
            long bytesMax,
            Namespace to,
            @Nullable Collection target,
            Ddl.Change change,
            Interruption interruption) {
        Namespace temporary = new Namespace(to.database(), "tmp.convertToCapped." + uuids.get());
        create(temporary, source, bytesMax, interruption);
        boolean done = false;
        try {
            fill(temporary, to, source, bytesMax, interruption);
            Collection filled = ddl.lock(temporary, change.transaction());
            if (filled == null) {
                throw TemporaryCollections.dropped(to);
            }
            ddl.put(filled, to, target, TemporaryCollections::unmarked, change);
            done = true;
            return true;
        } finally {
            if (!done) {
                ddl.drop(temporary, Ddl.Scope.own(Interruption.unlimited()));
            }
        }
    }

    private void create(Namespace temporary, Collection source, long bytesMax, Interruption interruption) {
        BsonWriter options = new BsonWriter();
        new Capped(bytesMax, 0).writeTo(options);
        for (var at = source.options().cursor(); at.next(); ) {
            if (!LIMITS.contains(at.name())) {
                options.copy(at);
            }
        }
        RawDocument marked = options.put(TemporaryCollections.TEMPORARY, true).finish();
        ddl.run(Ddl.Scope.own(interruption), change -> {
            if (catalog.writer().create(temporary, marked, change.transaction()) == null) {
                throw new IllegalStateException("a random name is taken: " + temporary);
            }
            return true;
        });
    }

    /** With the documents that fit, the newest, in the order in which they came. */
    private void fill(Namespace temporary, Namespace to, Collection source, long bytesMax, Interruption interruption) {
        try (Snapshot snapshot = catalog.transactions().snapshot()) {
            KeyRange kept = newest(source, bytesMax, snapshot, interruption);
            try (Scan scan = snapshot.scan(table(source), kept, false)) {
                boolean more = scan.next();
                while (more) {
                    interruption.check();
                    more = fillBatch(temporary, to, source, snapshot, scan, interruption);
                }
            }
        }
    }

    private static Table table(Collection source) {
        return source.order() == null ? Table.DOCUMENTS : Table.INDEXES;
    }

    private static RawDocument document(Collection source, Snapshot snapshot, Scan scan) {
        InsertionOrder order = source.order();
        return order == null
                ? RawDocument.of(scan.value())
                : Objects.requireNonNull(source.document(snapshot, order.documentKey(scan.key())));
    }

    /** From the oldest document that fits, with all that are newer, to the end. */
    private static KeyRange newest(Collection source, long bytesMax, Snapshot snapshot, Interruption interruption) {
        KeyRange all =
                source.order() == null ? source.documents() : source.order().entries();
        byte[] first = null;
        long bytes = 0;
        try (Scan scan = snapshot.scan(table(source), all, true)) {
            for (long count = 0; scan.next(); count++) {
                if (count % BATCH_DOCUMENTS == 0) {
                    interruption.check();
                }
                bytes += document(source, snapshot, scan).length();
                if (bytes > bytesMax) {
                    break;
                }
                first = scan.key();
            }
        }
        return first == null ? new KeyRange(all.low(), all.low()) : new KeyRange(first, all.high());
    }

    /** Beginning with the current document; whether there are more. */
    private boolean fillBatch(
            Namespace temporary,
            Namespace to,
            Collection source,
            Snapshot snapshot,
            Scan scan,
            Interruption interruption) {
        try (Transaction batch = ddl.begin(interruption)) {
            Collection target = catalog.locks().forWrite(temporary, batch);
            if (target == null) {
                throw TemporaryCollections.dropped(to);
            }
            long bytes = 0;
            boolean more = true;
            for (int count = 0; more && count < BATCH_DOCUMENTS && bytes < BATCH_BYTES; count++) {
                RawDocument document = document(source, snapshot, scan).detached();
                bytes += document.length();
                target.insert(batch, document, true);
                more = scan.next();
            }
            batch.commit().awaitApplied();
            return more;
        }
    }
}
