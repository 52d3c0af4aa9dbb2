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
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    /** Held for a whole sync: who comes meanwhile may not return before what the first one has taken is durable. */
    private final ReentrantLock syncing = new ReentrantLock();

    /** What is written to; all before it is durable. Null until a file has been begun. */
    private volatile @Nullable JournalFile current;

    /** After a sync that failed, the operating system may have dropped what it should have written. */
    private volatile @Nullable IOException failure;

    // Of the thread that appends.

    /** With batches that may have to be applied again, oldest first; the last one is written to, unless none has been begun. */
    private final Deque<JournalFile> live = new ArrayDeque<>();

    /** To be written again. */
    private final Deque<JournalFile> free = new ArrayDeque<>();

    private long next;
    private int names;

    /** How far the engine has been told to write out its tables. */
    private long flushed;

    /** The engine, as far as the journal goes. */
    interface Tables {
        /** The number of the newest batch that is in the tables' files. */
        long persisted();

        /** Begins to write out all tables, or does it. */
        void flush(boolean wait);

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
     * Puts into the tables' files what they do not have, up to the first batch of the last file that is not whole: that one and what
     * comes behind it have not been synced.
     *
     * @throws EngineException if batches are damaged or missing that have been synced
     */
    void recover() {
        try {
            List<JournalFile> found = opened();
            long persisted = tables.persisted();
            next = persisted + 1;
            for (JournalFile each : found) {
                if (each.first() > next) {
                    throw missing(found, each);
                }
                each.read((number, batch) -> {
                    if (number == next) {
                        tables.apply(batch);
                        next++;
                    }
                });
                free.add(each);
            }
            if (next > persisted + 1) {
                // Of a process that was killed, or could not sync, only the operating system's memory may have them.
                tables.flush(true);
            }
            deleteUnbegun();
        } catch (IOException e) {
            throw failure("reading", e);
        }
    }

    /** A file is begun when all before it is durable, so this is no power loss. */
    private EngineException missing(List<JournalFile> found, JournalFile behind) throws IOException {
        for (JournalFile each : found) {
            each.close();
        }
        String files = found.subList(found.indexOf(behind), found.size()).stream()
                .map(each -> each.path().getFileName().toString())
                .collect(Collectors.joining(", "));
        return new EngineException("the journal in " + directory + " is damaged: its batch " + next
                + " is not there, and those from " + behind.first() + " on, in " + files
                + ", cannot be applied without it. To open the directory without these, remove the files.");
    }

    /** Those with a header, in the order of their records. */
    private List<JournalFile> opened() throws IOException {
        List<JournalFile> found = new ArrayList<>();
        for (Path each : paths(directory)) {
            names = Math.max(names, number(each));
            JournalFile file = new JournalFile(each);
            if (file.hasHeader()) {
                found.add(file);
            } else {
                file.close();
            }
        }
        found.sort(Comparator.comparingLong(JournalFile::first));
        return found;
    }

    /** Those without one. */
    private void deleteUnbegun() throws IOException {
        Set<Path> begun = free.stream().map(JournalFile::path).collect(Collectors.toSet());
        for (Path each : paths(directory)) {
            if (!begun.contains(each)) {
                Files.delete(each);
            }
        }
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
        return file == null || file.length() >= fileBytes ? begun() : file;
    }

    private void checkWorking() throws IOException {
        IOException before = failure;
        if (before != null) {
            throw new IOException("a sync failed: " + FileFailure.reason(before), before);
        }
    }

    private JournalFile begun() throws IOException {
        long persisted = tables.persisted();
        while (!live.isEmpty() && live.getFirst().behind() - 1 <= persisted) {
            free.add(live.removeFirst());
        }
        if (free.isEmpty()) {
            names++;
            free.add(new JournalFile(directory.resolve(names + SUFFIX)));
            DataDirectory.syncNames(directory);
        }
        JournalFile file = free.getFirst();
        begin(file);
        live.add(free.removeFirst());
        if (live.size() > FILES && persisted >= flushed) {
            flushed = next - 1;
            tables.flush(false);
        }
        return file;
    }

    private void begin(JournalFile file) throws IOException {
        syncing.lock();
        try {
            syncCurrent();
            while (free.size() > FILES + 1) {
                free.removeLast().delete();
            }
            file.begin(next);
            current = file;
            syncCurrent();
        } finally {
            syncing.unlock();
        }
    }

    /** Makes everything durable that was appended before the call. */
    void sync() {
        syncing.lock();
        try {
            syncCurrent();
        } catch (IOException e) {
            throw failure("syncing", e);
        } finally {
            syncing.unlock();
        }
    }

    private void syncCurrent() throws IOException {
        checkWorking();
        JournalFile file = current;
        if (file == null) {
            return;
        }
        try {
            file.sync();
        } catch (IOException e) {
            failure = e;
            throw e;
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
        for (Collection<JournalFile> files : List.of(live, free)) {
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
