package dev.semel.server.settings;

import dev.semel.server.settings.Setting.When;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The limits of what clients can make the server keep in the heap: those of the parts of its memory account, and of what
 * one user of a part may take. The defaults are shares of the heap. The parts add up to more than the account, because they
 * are not full all at once; the account to less than the heap, because the server itself and the collector need the rest.
 */
public final class MemorySettings {
    private static final long LEAST = 1 << 20;

    /** MongoDB's limit of a stage; in a large heap there is no reason for another one. */
    private static final long QUERY_BYTES_MAX = 100L << 20;

    private final long heapBytes;
    private final Consumer<Setting<?>> table;
    private final List<Setting<?>> all = new ArrayList<>();

    /** What all parts together may take. */
    public final Setting<Long> accountBytesMax;

    /** The documents of a server without files, with everything that old snapshots keep. */
    public final Setting<Long> inMemoryBytesMax;

    /** How much of that may be kept by old snapshots that are not being read. */
    public final Setting<Long> snapshotBytesMax;

    /** What one transaction, or one statement by itself, may write. */
    public final Setting<Long> transactionBytesMax;

    public final Setting<Long> transactionBytesTotalMax;

    /** What one stage that collects documents may hold before it spills. */
    public final Setting<Long> queryBytesMax;

    public final Setting<Long> queryBytesTotalMax;

    /** Documents of more than a megabyte that statements work on. */
    public final Setting<Long> largeValueBytesTotalMax;

    /** What one call of a JavaScript function may allocate. */
    public final Setting<Long> javascriptBytesMax;

    /** Requests that are being received or run. */
    public final Setting<Long> requestBytesTotalMax;

    /** Replies that are being built or sent. */
    public final Setting<Long> replyBytesTotalMax;

    /** What idle cursors keep between two batches. */
    public final Setting<Long> cursorBytesTotalMax;

    /** Collections and indexes, by being there. */
    public final Setting<Long> catalogBytesMax;

    /** Which plans have won. */
    public final Setting<Long> planCacheBytesMax;

    /** Milliseconds for which a client may take nothing of its reply while memory for replies is short. */
    public final Setting<Long> replyStallMs;

    /** Milliseconds for which a request may be arriving while memory for requests is short. */
    public final Setting<Long> requestArrivalMs;

    public final Setting<Long> lockBytesMax;

    /** The keys written since the oldest snapshot of a transaction. */
    public final Setting<Long> conflictBytesMax;

    /** What is kept in memory to save a read. */
    public final Setting<Long> cacheBytesMax;

    MemorySettings(long heapBytes, boolean isInMemory, Consumer<Setting<?>> table) {
        this.heapBytes = heapBytes;
        this.table = table;
        accountBytesMax = share("memoryAccountBytesMax", 5.0 / 8, When.AT_START);
        // Half of the account: what large holders may have beside it is enough for the largest message.
        inMemoryBytesMax = share("inMemoryBytesMax", 5.0 / 16, When.AT_RUNTIME);
        snapshotBytesMax = share("snapshotBytesMax", 1.0 / 16, When.AT_RUNTIME);
        transactionBytesMax = share("transactionBytesMax", 3.0 / 16, When.AT_RUNTIME);
        transactionBytesTotalMax = share("transactionBytesTotalMax", 5.0 / 16, When.AT_RUNTIME);
        queryBytesMax = share("queryBytesMax", 1.0 / 16, When.AT_RUNTIME, QUERY_BYTES_MAX);
        queryBytesTotalMax = share("queryBytesTotalMax", isInMemory ? 1.0 / 8 : 3.0 / 16, When.AT_RUNTIME);
        largeValueBytesTotalMax = share("largeValueBytesTotalMax", 1.0 / 8, When.AT_RUNTIME);
        javascriptBytesMax = share("javascriptBytesMax", 1.0 / 16, When.AT_RUNTIME);
        requestBytesTotalMax = share("requestBytesTotalMax", 7.0 / 32, When.AT_RUNTIME);
        replyBytesTotalMax = share("replyBytesTotalMax", 1.0 / 8, When.AT_RUNTIME);
        replyStallMs = milliseconds("replyStallMillisMax", 10_000);
        requestArrivalMs = milliseconds("requestArrivalMillisMax", 30_000);
        cursorBytesTotalMax = share("cursorBytesTotalMax", 1.0 / 32, When.AT_RUNTIME);
        catalogBytesMax = share("catalogBytesMax", 1.0 / 16, When.AT_RUNTIME);
        planCacheBytesMax = share("planCacheBytesMax", 1.0 / 128, When.AT_RUNTIME);
        lockBytesMax = share("lockBytesMax", 1.0 / 32, When.AT_RUNTIME);
        conflictBytesMax = share("conflictBytesMax", 1.0 / 64, When.AT_RUNTIME);
        cacheBytesMax = share("cacheBytesMax", 1.0 / 32, When.AT_START);
    }

    private Setting<Long> milliseconds(String name, long value) {
        Setting<Long> setting = new Setting<>(name, Setting.wholeNumber(1, Integer.MAX_VALUE), When.AT_RUNTIME, value);
        table.accept(setting);
        return setting;
    }

    private Setting<Long> share(String name, double share, When when) {
        return share(name, share, when, Long.MAX_VALUE);
    }

    private Setting<Long> share(String name, double share, When when, long most) {
        long bytes = Math.clamp((long) (heapBytes * share), LEAST, most);
        Setting<Long> setting = new Setting<>(name, Setting.wholeNumber(LEAST, Long.MAX_VALUE), when, bytes);
        all.add(setting);
        table.accept(setting);
        return setting;
    }

    /** Those whose defaults depend on the heap. */
    public List<Setting<?>> all() {
        return List.copyOf(all);
    }
}
