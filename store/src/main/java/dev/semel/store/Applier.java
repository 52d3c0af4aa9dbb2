package dev.semel.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Takes records to the engine and to memory, the same on the node that made them, on others and after a crash. One for
 * each database; used by one thread at a time.
 *
 * <p>In this order: the engine has the rows and the position, in one batch; memory learns the facts; readers see the new
 * version; waiting threads are woken.
 */
public final class Applier {
    private final Store store;
    private final Versions versions;
    private final List<CommitListener> listeners = new CopyOnWriteArrayList<>();
    private volatile Position applied;

    Applier(Store store, Versions versions) {
        this.store = store;
        this.versions = versions;
        this.applied = store.position();
    }

    /** To be called before the first record that the listener must receive. */
    public void listen(CommitListener listener) {
        listeners.add(listener);
    }

    /** Of the newest record that has been applied. */
    public Position applied() {
        return applied;
    }

    /** Whether this record is the next one to be applied. */
    public boolean isNext(CommitRecord record) {
        return record.place().previous() == applied.sequence();
    }

    /**
     * Applies consecutive records, the first of which follows the newest one.
     *
     * @param log the entry that they came with
     * @param beforeVisible runs when they can no longer be undone, before they become visible
     */
    public void apply(List<CommitRecord> group, LogPosition log, Runnable beforeVisible) {
        Batch batch = batch(group);
        batch.position(group.getLast().place().position(log));
        try (Staged others = staged(group)) {
            if (others != null) {
                batch.staged(others);
            }
            apply(group, batch, beforeVisible);
        }
    }

    /** What another node has prepared for itself, and sent here in chunks; null if there are none. Such a commit is alone. */
    private @Nullable Staged staged(List<CommitRecord> group) {
        CommitRecord first = group.getFirst();
        Chunks chunks = first.staged() == null ? first.chunks() : null;
        if (chunks == null) {
            return null;
        }
        try (Snapshot snapshot = store.snapshot(applied.clusterTime())) {
            return store.stage(chunks.in(snapshot));
        }
    }

    /**
     * The same for records that the log has not committed yet: until {@link #committed} is called for them, the engine
     * keeps undo rows, and applies those when it is opened the next time.
     *
     * @param beforeVisible runs before they become visible
     * @return the size of the undo rows; -1 if there are none or they would be too large, and nothing was done
     */
    public long applyAhead(List<CommitRecord> group, Runnable beforeVisible) {
        byte[] before = before(group);
        if (before == null) {
            return -1;
        }
        Place last = group.getLast().place();
        Batch batch = new Batch();
        batch.addAll(batch(group));
        batch.put(Table.UNDO, Undo.key(last.sequence()), before);
        batch.position(last.position(applied.log()));
        apply(group, batch, beforeVisible);
        return before.length;
    }

    private byte @Nullable [] before(List<CommitRecord> group) {
        if (applied.equals(Position.NONE)) {
            return null;
        }
        Version version = versions.acquireNewest();
        try {
            return Undo.before(group, applied, version.engine);
        } finally {
            version.release();
        }
    }

    /**
     * Groups that were applied ahead are committed in the log and will not be undone.
     *
     * @param groups the sequence numbers with which they end
     * @param log the entry that they came with
     */
    public void committed(long[] groups, LogPosition log) {
        Batch batch = new Batch();
        for (long each : groups) {
            batch.delete(Table.UNDO, Undo.key(each));
        }
        reached(log, batch);
    }

    /** The log is at this entry, without another commit. */
    void reached(LogPosition log, Batch batch) {
        Position reached = applied.at(log);
        batch.position(reached);
        store.write(batch, false);
        applied = reached;
    }

    private void apply(List<CommitRecord> group, Batch batch, Runnable beforeVisible) {
        checkChain(group);
        Position reached = batch.position();
        long replacedBytes = store.write(batch, false);
        applied = reached;
        for (CommitRecord each : group) {
            for (CommitListener listener : listeners) {
                listener.applied(each);
            }
        }
        beforeVisible.run();
        long firstTime = group.getFirst().clusterTime();
        versions.publish(store.snapshot(reached.clusterTime()), firstTime, store.heapBytes(), replacedBytes);
        for (CommitRecord each : group) {
            for (CommitListener listener : listeners) {
                listener.visible(each);
            }
        }
    }

    /** Nothing more will be applied; threads that wait for it get an error. */
    public void fail(Throwable cause) {
        versions.visible().fail(cause);
    }

    /** A record that is missing would never be noticed afterwards. */
    private void checkChain(List<CommitRecord> group) {
        long last = applied.sequence();
        for (CommitRecord each : group) {
            if (each.place().previous() != last) {
                throw new IllegalStateException("the commit %d does not follow the commit %d"
                        .formatted(each.place().sequence(), last));
            }
            last++;
        }
    }

    private static Batch batch(List<CommitRecord> group) {
        Batch batch = group.getFirst().rows();
        if (group.size() > 1) {
            batch = new Batch();
            for (CommitRecord each : group) {
                batch.addAll(each.rows());
            }
        }
        for (CommitRecord each : group) {
            CommitDraft.StagedRows staged = each.staged();
            if (staged != null) {
                batch.staged(staged.prepared());
            }
        }
        return batch;
    }
}
