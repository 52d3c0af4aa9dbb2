package dev.semel.server.catalog;

import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.store.key.KeyWriter;
import dev.semel.store.lock.DeadlockVictim;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes the documents that have expired by their collection's TTL indexes: those with a date in the indexed field, or in
 * an array there, that lies longer ago than the index says. The owner of the threads calls {@link #pass} from time to
 * time.
 */
public final class Expiry {
    private static final int BATCH = 1_000;
    private static final System.Logger LOG = System.getLogger(Expiry.class.getName());

    private final Catalog catalog;
    private final InstantSource clock;

    public Expiry(Catalog catalog, InstantSource clock) {
        this.catalog = catalog;
        this.clock = clock;
    }

    /** One look at all collections; how many documents it has deleted. */
    public long pass(Interruption interruption) {
        List<Collection> all;
        try (Snapshot snapshot = catalog.transactions().snapshot()) {
            all = catalog.all(snapshot);
        }
        long deleted = 0;
        for (Collection collection : all) {
            for (Index index : collection.indexes()) {
                Long seconds = index.spec().expireAfterSeconds();
                if (seconds != null && index.kind() == IndexKind.ORDERED) {
                    deleted += pass(collection, index, seconds, interruption);
                }
            }
        }
        return deleted;
    }

    /** A collection with which it does not work out now has its turn at the next pass. */
    private long pass(Collection collection, Index index, long seconds, Interruption interruption) {
        long deadline = clock.millis() - seconds * 1000;
        long deleted = 0;
        try {
            int found;
            do {
                found = delete(collection, index, deadline, interruption);
                deleted += found;
            } while (found == BATCH);
        } catch (CommandException | DeadlockVictim e) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "documents of {0} that have expired are left for later: {1}",
                    collection.namespace(),
                    e.getMessage());
        }
        return deleted;
    }

    private int delete(Collection seen, Index index, long deadline, Interruption interruption) {
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofSeconds(1));
        try (Transaction transaction = catalog.transactions().begin(Isolation.STATEMENT, policy, interruption)) {
            Collection collection = catalog.locks().forWrite(seen.namespace(), transaction);
            if (collection == null || collection.number() != seen.number() || !has(collection, index)) {
                return 0;
            }
            int deleted = 0;
            for (byte[] key : expired(index, deadline)) {
                transaction.lockExclusive(Table.DOCUMENTS, key);
                byte[] now = transaction.latest(Table.DOCUMENTS, key);
                RawDocument document = now == null ? null : RawDocument.of(now);
                // It may have been given more time since the index was read.
                if (document != null && isExpired(index, document, deadline)) {
                    collection.delete(transaction, key, document);
                    deleted++;
                }
            }
            transaction.commit().awaitApplied();
            return deleted;
        }
    }

    private static boolean has(Collection collection, Index index) {
        Index now = collection.index(index.name());
        return now != null && now.number() == index.number() && index.spec().equals(now.spec());
    }

    private List<byte[]> expired(Index index, long deadline) {
        boolean descending = index.descending()[0];
        byte[] first = key(index, new Value.Date(Long.MIN_VALUE), descending);
        byte[] last = key(index, new Value.Date(deadline), descending);
        byte[] low = descending ? last : first;
        byte[] high = descending ? first : last;
        List<byte[]> keys = new ArrayList<>();
        try (Snapshot snapshot = catalog.transactions().snapshot();
                Scan scan = snapshot.scan(index.table(), new KeyRange(low, KeyRange.prefixEnd(high)), false)) {
            while (keys.size() < BATCH && scan.next()) {
                keys.add(index.documentKey(scan.key()));
            }
        }
        return keys;
    }

    private static byte[] key(Index index, Value date, boolean descending) {
        return new KeyWriter().prefix(index.number()).put(date, descending).toKey();
    }

    private static boolean isExpired(Index index, RawDocument document, long deadline) {
        if (!index.holds(document)) {
            return false;
        }
        return index.keys(document).keys().stream()
                .anyMatch(each -> each[0] instanceof Value.Date(long millis) && millis <= deadline);
    }
}
