package dev.semel.store;

import dev.semel.store.key.KeyRange;
import dev.semel.wire.memory.LargeValues;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A storage engine: ordered tables, atomic batches, snapshots. It is opened once, handed to {@link Transactions}, and
 * used through that; only this module writes to an engine directly.
 */
public interface Store extends AutoCloseable {
    /**
     * What is in the engine now. The caller guarantees that the newest commit in it is the given one: the engine's own
     * sequence numbers stay inside.
     */
    Snapshot snapshot(long clusterTime);

    /** Statements that read large values from now on draw on this; before, nothing limits them. */
    default void countLarge(LargeValues values) {}

    /**
     * One writer at a time. Returns when snapshots taken from now on show the batch; with sync, when it is durable.
     *
     * @return how much of the heap is kept by older snapshots alone because of this batch; 0 if data is not in the heap
     */
    long write(Batch batch, boolean sync);

    /**
     * Prepares the rows of a large batch while others are written. From now on until they are written or closed, no other
     * batch writes to their keys, and no other batch is staged. Any thread.
     *
     * @param rows puts and deletions, each table's by key, each key once; may be handed out on another thread
     */
    Staged stage(RowSource rows);

    /** An empty one of the same kind, in a directory that does not exist, for rows that need not survive the process. */
    Store scratch(Path directory);

    /** Makes every batch written before the call durable. May run beside {@link #write}. */
    void syncLog();

    /** False if nothing survives the process: then durable means no more than applied. */
    boolean isPersistent();

    /** Of the newest batch that had one. */
    Position position();

    /** What the data takes in the heap, roughly; 0 if it is elsewhere. */
    long heapBytes();

    /**
     * From time to time: gives back what {@link Batch#retire retired} rows take, if no snapshot shows them any more. May read
     * files: the thread is not a virtual one.
     */
    default void reclaim() {}

    /** How many bytes a range takes, roughly. */
    long approximateBytes(Table table, KeyRange range);

    /** How many entries a range holds, roughly. */
    long approximateCount(Table table, KeyRange range);

    /** How many bytes {@link #compact} would make free, roughly. */
    long reclaimableBytes(Table table, KeyRange range);

    /**
     * Rewrites what is stored of a range, without what has been replaced or removed, beside readers and writers. May take
     * long: the thread is not a virtual one.
     *
     * @return by how many bytes the files of the range have become smaller; negative if writers were faster
     */
    long compact(Table table, KeyRange range);

    /** Writes a consistent copy, which can be opened as a store of its kind, into a directory that does not exist yet. */
    void checkpoint(Path directory);

    /** Where the data is, if it is in files. */
    @Nullable
    Path directory();

    /** Engine figures by name, for {@code serverStatus}. */
    java.util.SortedMap<String, Long> figures();

    /** Waits until open snapshots are closed, for a limited time; what is still open then is unusable. */
    @Override
    void close();
}
