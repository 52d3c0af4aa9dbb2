package dev.semel.store;

import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Whether others have committed changes since a transaction's snapshot. */
final class SnapshotChanges {
    private final Versions versions;
    private final Conflicts conflicts;

    SnapshotChanges(Versions versions, Conflicts conflicts) {
        this.versions = versions;
        this.conflicts = conflicts;
    }

    /** Of one key; the base is the snapshot, null if there is none yet. */
    boolean contain(@Nullable Version base, Table table, byte[] key) {
        if (base == null || versions.isNewest(base)) {
            return false;
        }
        return switch (conflicts.changedSince(table, key, base.clusterTime)) {
            case UNCHANGED -> false;
            case CHANGED -> true;
            case UNKNOWN ->
                table == Table.DOCUMENTS
                        ? !Arrays.equals(base.engine.get(table, key), latestCommitted(table, key))
                        : differs(base, table, KeyRange.prefix(key));
        };
    }

    /** Of anything in a range, which should be short: entries are compared. */
    boolean contain(Snapshot view, Table table, KeyRange range) {
        Snapshot below = view;
        while (below instanceof Overlay overlay) {
            below = overlay.below();
        }
        if (!(below instanceof VersionSnapshot pinned)) {
            throw new IllegalArgumentException("not a view of a transaction");
        }
        return !versions.isNewest(pinned.version()) && differs(pinned.version(), table, range);
    }

    private boolean differs(Version old, Table table, KeyRange range) {
        Version newest = versions.acquireNewest();
        try (Scan before = old.engine.scan(table, range, false);
                Scan now = newest.engine.scan(table, range, false)) {
            while (true) {
                boolean had = before.next();
                boolean has = now.next();
                if (!had || !has) {
                    return had != has;
                }
                if (!Arrays.equals(before.key(), now.key()) || !Arrays.equals(before.value(), now.value())) {
                    return true;
                }
            }
        } finally {
            newest.release();
        }
    }

    private byte @Nullable [] latestCommitted(Table table, byte[] key) {
        Version newest = versions.acquireNewest();
        try {
            return newest.engine.get(table, key);
        } finally {
            newest.release();
        }
    }
}
