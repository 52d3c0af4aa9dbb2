package dev.semel.store;

/** What only the committer knows: the commit's place in time. */
public final class Stamp {
    private final ClusterClock clock;
    private final Batch batch;
    private long clusterTime;

    Stamp(ClusterClock clock, Batch batch) {
        this.clock = clock;
        this.batch = batch;
        this.clusterTime = clock.next();
    }

    /** The commit's cluster time, or the last that {@link #nextTime} returned. */
    public long clusterTime() {
        return clusterTime;
    }

    /** One more, for a commit of several oplog entries, which must differ in time. The last one is the commit's own. */
    public long nextTime() {
        clusterTime = clock.next();
        return clusterTime;
    }

    /** Adds a row to the commit. */
    public void put(Table table, byte[] key, byte[] value) {
        batch.put(table, key, value);
    }

    Batch batch() {
        return batch;
    }
}
