package dev.semel.store.rocks;

import dev.semel.store.EngineException;
import dev.semel.store.Table;
import dev.semel.wire.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The write-ahead log: each batch, numbered without gaps, before the engine has it in memory. The engine notes the number of
 * the newest batch with it, and writes out all tables as of one batch; so what it has on disk says which batches are to be
 * applied again after a crash.
 *
 * <p>A file whose batches are all in the engine's files is written again from its beginning: to sync a file that neither
 * grows nor gets new blocks costs half. The engine's own log can do that as well, but then loses records where files were
 * taken in from outside (<a href="https://github.com/facebook/rocksdb/pull/12918">RocksDB request 12918</a>).
 *
 * <p>One thread at a time appends, and any thread may sync beside it.
 */
final class Journal implements AutoCloseable {
    static final String SUFFIX = ".journal";

    private static final Pattern NAME = Pattern.compile("[0-9]{1,9}" + Pattern.quote(SUFFIX));

    /** So many files are filled before the engine is told to write out its tables. */
    private static final int FILES = 8;

    private static final long FILE_BYTES_MIN = 1 << 20;

    private final Path directory;
    private final Tables tables;
    private final long fileBytes;

    /** Of what is below, up to the next number; held for moments. */
    private final ReentrantLock lock = new ReentrantLock();

    /** With batches that may have to be applied again, oldest first; the last one is written to, unless none has been begun. */
    private final Deque<JournalFile> live = new ArrayDeque<>();

    /** To be written again. */
    private final Deque<JournalFile> free = new ArrayDeque<>();

    /** Written to since the last sync. */
    private List<JournalFile> unsynced = new ArrayList<>();

    /** Held for a whole sync: who comes meanwhile may not return before what the first one has taken is durable. */
    private final ReentrantLock syncing = new ReentrantLock();

    /** After a sync that failed, the operating system may have dropped what it should have written. */
    private volatile @Nullable IOException failure;

    // Of the thread that appends.

    /** Not needed any more, to be deleted. */
    private final List<JournalFile> surplus = new ArrayList<>();

    private @Nullable JournalFile current;
    private long next;
    private int names;

    /** How far the engine has been told to write out its tables. */
    private long flushed;

    /** The engine, as far as the journal goes. */
    interface Tables {
        /** The number of the newest batch that is in the tables' files. */
        long persisted();

        /** Begins to write out all tables. */
        void flush();

        /** Once more. */
        void apply(byte[] batch);
    }

    /** Nothing of it is read before {@link #recover}. */
    Journal(Path directory, Tables tables, long bytesMax) {
        this.directory = directory;
        this.tables = tables;
        this.fileBytes = Math.max(FILE_BYTES_MIN, bytesMax / FILES);
    }

    /**
     * Applies what the tables' files do not have, up to the first batch that is not whole or is missing: what comes behind has
     * never been synced, and is dropped.
     */
    void recover() {
        try {
            List<JournalFile> found = open();
            long persisted = tables.persisted();
            next = persisted + 1;
            for (JournalFile each : found) {
                if (each.first() > next) {
                    each.clear();
                    free.add(each);
                    continue;
                }
                each.read((number, batch) -> {
                    if (number == next) {
                        tables.apply(batch);
                        next++;
                    }
                });
                if (each.behind() - 1 > persisted) {
                    // What is there after the process has been killed may not be durable, and what follows relies on
                    // it.
                    each.sync();
                    live.add(each);
                } else {
                    free.add(each);
                }
            }
        } catch (IOException e) {
            throw failure("reading", e);
        }
    }

    /** Those with a header, in the order of their records. */
    private List<JournalFile> open() throws IOException {
        List<JournalFile> found = new ArrayList<>();
        for (Path each : paths(directory)) {
            names = Math.max(names, number(each));
            JournalFile file = new JournalFile(each);
            if (file.hasHeader()) {
                found.add(file);
            } else {
                file.delete();
            }
        }
        found.sort(Comparator.comparingLong(JournalFile::first));
        return found;
    }

    /** The files of the journal of a directory. */
    static List<Path> paths(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(
                            each -> NAME.matcher(each.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    private static int number(Path path) {
        String name = path.getFileName().toString();
        return Integer.parseInt(name.substring(0, name.length() - SUFFIX.length()));
    }

    /** Of the batch that is appended next. */
    long next() {
        return next;
    }

    void append(byte[] batch) {
        try {
            writable().append(batch);
            next++;
        } catch (IOException e) {
            throw failure("writing", e);
        }
    }

    /** A batch that is not in one piece. */
    void append(int[] families, Function<Table, byte @Nullable []> lastKey, Consumer<RowEncoder> rows) {
        try {
            JournalFile.Rows to = writable().rows(families, lastKey);
            rows.accept(to);
            to.finish();
            next++;
        } catch (IOException e) {
            throw failure("writing", e);
        }
    }

    private JournalFile writable() throws IOException {
        checkWorking();
        JournalFile file = current;
        if (file == null || file.length() >= fileBytes) {
            file = begun();
            current = file;
        }
        return file;
    }

    private void checkWorking() throws IOException {
        IOException before = failure;
        if (before != null) {
            throw new IOException("a sync failed: " + FileFailure.reason(before), before);
        }
    }

    private JournalFile begun() throws IOException {
        long persisted = tables.persisted();
        JournalFile file = released(persisted);
        if (file == null) {
            file = added();
        }
        begin(file);
        if (isLong(file) && persisted >= flushed) {
            flushed = next - 1;
            tables.flush();
        }
        return file;
    }

    /** While nobody syncs: one of these files may have been taken for that before it was not needed any more. */
    private void begin(JournalFile file) throws IOException {
        syncing.lock();
        try {
            for (JournalFile each : surplus) {
                each.delete();
            }
            surplus.clear();
            file.begin(next);
            sync(file);
        } finally {
            syncing.unlock();
        }
    }

    /** One that can be written again, and is free until it has been begun. */
    private @Nullable JournalFile released(long persisted) {
        lock.lock();
        try {
            for (JournalFile oldest = live.peek();
                    oldest != null && oldest.behind() - 1 <= persisted;
                    oldest = live.peek()) {
                live.remove();
                unsynced.remove(oldest);
                free.add(oldest);
            }
            while (free.size() > FILES + 1) {
                surplus.add(free.removeLast());
            }
            return free.peek();
        } finally {
            lock.unlock();
        }
    }

    private JournalFile added() throws IOException {
        names++;
        JournalFile file = new JournalFile(directory.resolve(names + SUFFIX));
        lock.lock();
        try {
            free.add(file);
        } finally {
            lock.unlock();
        }
        DataDirectory.syncNames(directory);
        return file;
    }

    private boolean isLong(JournalFile newest) {
        lock.lock();
        try {
            free.remove(newest);
            live.add(newest);
            unsynced.add(newest);
            return live.size() > FILES;
        } finally {
            lock.unlock();
        }
    }

    /** Makes everything durable that was appended before the call. */
    void sync() {
        syncing.lock();
        try {
            checkWorking();
            for (JournalFile each : unsynced()) {
                sync(each);
            }
        } catch (IOException e) {
            throw failure("syncing", e);
        } finally {
            syncing.unlock();
        }
    }

    private void sync(JournalFile file) throws IOException {
        try {
            file.sync();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    private List<JournalFile> unsynced() {
        lock.lock();
        try {
            List<JournalFile> taken = unsynced;
            unsynced = new ArrayList<>();
            if (!taken.isEmpty()) {
                unsynced.add(taken.getLast());
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    static EngineException failure(String doing, IOException cause) {
        return new EngineException("the journal failed at " + doing + ": " + FileFailure.reason(cause), cause);
    }

    /** What has been appended is durable then. */
    @Override
    public void close() {
        try {
            sync();
        } finally {
            closeFiles();
        }
    }

    private void closeFiles() {
        for (Collection<JournalFile> files : List.of(live, free, surplus)) {
            for (JournalFile each : files) {
                try {
                    each.close();
                } catch (IOException e) {
                    throw failure("closing", e);
                }
            }
        }
    }
}
