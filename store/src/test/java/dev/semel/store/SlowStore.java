package dev.semel.store;

import dev.semel.store.key.KeyRange;
import dev.semel.store.memory.MemoryStore;
import java.nio.file.Path;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** A store in memory that claims to be on a disk, whose speed and failures are up to the test. */
final class SlowStore implements Store {
    private final MemoryStore memory = new MemoryStore();
    private final Runnable disk;

    /** The disk runs during each sync. */
    SlowStore(Runnable disk) {
        this.disk = disk;
    }

    @Override
    public Snapshot snapshot(long clusterTime) {
        return memory.snapshot(clusterTime);
    }

    @Override
    public long write(Batch batch, boolean sync) {
        memory.write(batch, sync);
        return 0;
    }

    @Override
    public Staged stage(RowSource rows) {
        return memory.stage(rows);
    }

    @Override
    public Store scratch(Path directory) {
        return memory.scratch(directory);
    }

    @Override
    public long heapBytes() {
        return 0;
    }

    @Override
    public void syncLog() {
        disk.run();
    }

    @Override
    public boolean isPersistent() {
        return true;
    }

    @Override
    public Position position() {
        return memory.position();
    }

    @Override
    public long approximateBytes(Table table, KeyRange range) {
        return memory.approximateBytes(table, range);
    }

    @Override
    public long approximateCount(Table table, KeyRange range) {
        return memory.approximateCount(table, range);
    }

    @Override
    public long reclaimableBytes(Table table, KeyRange range) {
        return memory.reclaimableBytes(table, range);
    }

    @Override
    public long compact(Table table, KeyRange range) {
        return memory.compact(table, range);
    }

    @Override
    public void checkpoint(Path directory) {
        memory.checkpoint(directory);
    }

    @Override
    public @Nullable Path directory() {
        return memory.directory();
    }

    @Override
    public SortedMap<String, Long> figures() {
        return memory.figures();
    }

    @Override
    public void close() {
        memory.close();
    }
}
