package dev.semel.server.command;

import dev.semel.server.catalog.Capped;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.CollectionOptions;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.status.Log;
import dev.semel.store.EngineException;
import dev.semel.store.Isolation;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Writes entries of operations to {@code system.profile}, beside the operations, several in one transaction that waits neither long
 * for a lock nor until it is durable. Who reads the collection first waits for the entries of what has ended. An entry that
 * cannot be written is left out: to profile an operation must not make it slow, nor fail.
 */
public final class Profiler {
    public static final String COLLECTION = "system.profile";

    private static final long BYTES_MAX = 1 << 20;
    private static final Duration LOCK_TIMEOUT = Duration.ofMillis(100);
    private static final long NANOS_MAX = 1_000_000_000;
    private static final long LOOK_NANOS = 200_000;
    private static final long FLUSH_NANOS_MAX = 10_000_000_000L;
    private static final int BATCH_MAX = 256;

    /** What waits to be written; beyond that, entries are left out. */
    private static final long WAITING_BYTES_MAX = 1 << 20;

    private final ProfileLevels levels = new ProfileLevels();
    private final Transactions transactions;
    private final Catalog catalog;
    private final Ddl ddl;
    private final BooleanSupplier isWritable;
    private final LongSupplier nanoTime;
    private final Log log;
    private final Queue<Entry> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicLong added = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final AtomicBoolean isWriting = new AtomicBoolean();

    private record Entry(String database, RawDocument document) {}

    /** Where nothing can be written, on a secondary for instance, no entries are kept. */
    public Profiler(
            Transactions transactions,
            Catalog catalog,
            Ddl ddl,
            BooleanSupplier isWritable,
            LongSupplier nanoTime,
            Log log) {
        this.transactions = transactions;
        this.catalog = catalog;
        this.ddl = ddl;
        this.isWritable = isWritable;
        this.nanoTime = nanoTime;
        this.log = log;
    }

    public ProfileLevels levels() {
        return levels;
    }

    /** Makes the collection of a database's entries, if there is none. */
    public void prepare(String database, Interruption interruption) {
        Namespace namespace = new Namespace(database, COLLECTION);
        if (isWritable.getAsBoolean() && catalog.newest(namespace) == null) {
            ddl.create(namespace, CollectionOptions.capped(new Capped(BYTES_MAX, 0)), Ddl.Scope.own(interruption));
        }
    }

    /** Returns at once: the entry is written soon, and before {@link #flush} returns. */
    void write(String database, RawDocument entry) {
        // Whoever copies the files must not stop readers whose operations are profiled.
        if (!isWritable.getAsBoolean() || transactions.barrier().isClosed()) {
            return;
        }
        if (waitingBytes.addAndGet(entry.length()) > WAITING_BYTES_MAX) {
            waitingBytes.addAndGet(-entry.length());
            return;
        }
        added.incrementAndGet();
        waiting.add(new Entry(database, entry));
        startWriter();
    }

    private void startWriter() {
        if (!isWriting.getAndSet(true)) {
            Thread.ofVirtual().name("profiler").start(this::writeWaiting);
        }
    }

    private void writeWaiting() {
        try {
            for (Entry first = waiting.peek(); first != null; first = waiting.peek()) {
                writeBatch(first.database);
            }
        } finally {
            isWriting.set(false);
        }
        if (!waiting.isEmpty()) {
            startWriter();
        }
    }

    /** Those of one database that come next. */
    private void writeBatch(String database) {
        List<RawDocument> batch = new ArrayList<>();
        for (Entry next = waiting.peek();
                next != null && next.database.equals(database) && batch.size() < BATCH_MAX;
                next = waiting.peek()) {
            waiting.remove();
            waitingBytes.addAndGet(-next.document.length());
            batch.add(next.document);
        }
        Interruption interruption = Interruption.at(nanoTime, nanoTime.getAsLong() + NANOS_MAX);
        try {
            prepare(database, interruption);
            insert(new Namespace(database, COLLECTION), batch, interruption);
        } catch (CommandException | EngineException e) {
            // Another client has the lock, or there is no room: the operations themselves went well, so nobody is told.
        } catch (RuntimeException e) {
            log.error(Log.Component.COMMAND, "profiler", "Entries of operations could not be written", e);
        } finally {
            written.addAndGet(batch.size());
        }
    }

    private void insert(Namespace namespace, List<RawDocument> entries, Interruption interruption) {
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.STATEMENT, LOCK_TIMEOUT);
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, policy, interruption)) {
            Collection collection = catalog.locks().forWrite(namespace, transaction);
            if (collection != null) {
                entries.forEach(each -> collection.insert(transaction, each, true));
                transaction.commit().awaitApplied();
            }
        }
    }

    boolean isIdle() {
        return written.get() == added.get();
    }

    /** Returns when the entries of all operations that have ended can be read, or after ten seconds. */
    void flush(Interruption interruption) {
        long all = added.get();
        long end = nanoTime.getAsLong() + FLUSH_NANOS_MAX;
        while (written.get() < all && nanoTime.getAsLong() < end) {
            interruption.check();
            interruption.park(this, LOOK_NANOS);
        }
    }
}
