package dev.semel.server.replica;

import dev.semel.store.CommitListener;
import dev.semel.store.CommitRecord;
import dev.semel.store.Fact;
import dev.semel.store.Isolation;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration as this node has it. It is a row of the database, so it reaches the other members like any other
 * commit, and each learns of it where the commit is applied.
 */
public final class StoredConfig implements CommitListener {
    /** Under which clients read it. */
    public static final Namespace NAMESPACE = new Namespace("local", "system.replset");

    private static final byte[] KEY = {'R'};

    /** Where it is in the table of the catalog. */
    public static final KeyRange ROW = KeyRange.point(KEY);

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(4);

    private final Transactions transactions;
    private final SetConfig initial;
    private final Runnable changed;
    private volatile @Nullable SetConfig stored;

    /** Known before its commit is applied. */
    private volatile @Nullable SetConfig ahead;

    /**
     * @param initial what counts as long as none is stored
     * @param changed runs when there is another one; with all commits waiting behind, so it must be quick
     */
    public StoredConfig(Transactions transactions, SetConfig initial, Runnable changed) {
        this.transactions = transactions;
        this.initial = initial;
        this.changed = changed;
        transactions.listen(this);
        reload();
    }

    /** From the database, where what was applied may have been taken back. */
    public void reload() {
        try (Snapshot snapshot = transactions.snapshot()) {
            byte[] row = snapshot.get(Table.CATALOG, KEY);
            stored = row == null ? null : SetConfig.parse(RawDocument.of(row), initial.settings());
        }
    }

    /** On a member that applies commits later than others, and must know who its members are before. */
    public void ahead(RawDocument document) {
        ahead = SetConfig.parse(document, initial.settings());
        changed.run();
    }

    public SetConfig current() {
        SetConfig applied = stored;
        SetConfig known = ahead;
        if (known != null && (applied == null || known.version() > applied.version())) {
            return known;
        }
        return applied == null ? initial : applied;
    }

    public boolean isStored() {
        return stored != null || ahead != null;
    }

    /**
     * Returns when it can no longer be rolled back. On the node that writes. Clients are not told of its version before: a
     * driver that has seen a version refuses a primary with an older one.
     */
    public void store(SetConfig config, Interruption interruption) {
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.STATEMENT, LOCK_TIMEOUT);
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, policy, interruption)) {
            transaction.lockExclusive(Table.CATALOG, KEY);
            transaction.put(Table.CATALOG, KEY, bytes(config.toDocument()));
            transaction.append((draft, all) -> {
                draft.add(new Fact.Touched(NAMESPACE));
                draft.applyOnceInLog();
            });
            transaction.commit().awaitDurable();
        }
    }

    private static byte[] bytes(RawDocument document) {
        byte[] bytes = new byte[document.length()];
        System.arraycopy(document.array(), document.offset(), bytes, 0, bytes.length);
        return bytes;
    }

    @Override
    public void visible(CommitRecord record) {
        byte[] value = written(record);
        if (value != null) {
            stored = SetConfig.parse(RawDocument.of(value), initial.settings());
            changed.run();
        }
    }

    /** The configuration that a commit writes; null for other commits. */
    public static byte @Nullable [] written(CommitRecord record) {
        for (Fact each : record.facts()) {
            if (each instanceof Fact.Touched touched && touched.namespace().equals(NAMESPACE)) {
                int row = record.lastRow(Table.CATALOG, KEY);
                return row < 0 ? null : record.value(row);
            }
        }
        return null;
    }
}
