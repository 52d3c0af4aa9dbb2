package dev.semel.store;

import dev.semel.store.key.KeyRange;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;

/** In the place of one that had to go because snapshots took too much of the heap. */
record EvictedSnapshot(long clusterTime) implements Snapshot {
    @Override
    public byte[] get(Table table, byte[] key) {
        throw tooOld();
    }

    @Override
    public Scan scan(Table table, KeyRange range, boolean reverse) {
        throw tooOld();
    }

    private static CommandException tooOld() {
        return new CommandException(
                ErrorCode.SnapshotTooOld,
                "The snapshot had to be given up because old snapshots exceed the limit set by the parameter"
                        + " snapshotBytesMax");
    }

    @Override
    public void close() {}
}
