package dev.semel.store.rocks;

import dev.semel.store.Batch;
import dev.semel.store.EngineException;
import dev.semel.store.RowSource;
import dev.semel.store.Table;
import dev.semel.wire.FileFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.RocksDBException;

/**
 * Large commits: their rows are sorted into files beside the commits of others and ingested as they are.
 *
 * <p>The engine ingests the files of one table at a time. To make the whole commit atomic, its batch also names the files,
 * and is on disk before the first of them is ingested; after the last one, the row that names them is emptied. If that row
 * names any when the directory is opened, the files that are still in the folder are ingested. A file may be ingested
 * a second time, because nothing was written after it.
 */
final class Ingestion {
    static final byte[] KEY = "ingest".getBytes(StandardCharsets.US_ASCII);

    /** Nothing is being taken in. */
    private static final byte[] NONE = {};

    static final String FOLDER = "staged";

    /** Smaller files are rarely worth it. */
    private static final long FLUSHED_BYTES_MIN = 16 << 20;

    private final RocksStore store;
    private final EngineOptions options;
    private final Path folder;
    private final AtomicLong numbers = new AtomicLong();

    /** A copy of the engine's files must not be made between the row and the end of what it announces. */
    private final ReentrantLock exclusive = new ReentrantLock();

    Ingestion(RocksStore store, EngineOptions options, Path directory) {
        this.store = store;
        this.options = options;
        this.folder = directory.resolve(FOLDER);
    }

    /** Before anything else is written. */
    void recover() throws RocksDBException {
        byte[] named = store.engine().get(store.description(), KEY);
        if (named != null && named.length > 0) {
            takeIn(new StagedFiles(decode(named)));
            // Names are given again in this life: if a power loss brought the row back, it would name files of a commit
            // that has not been announced.
            store.flush(true);
        }
        try {
            Files.createDirectories(folder);
            try (Stream<Path> left = Files.list(folder)) {
                for (Path each : left.toList()) {
                    Files.delete(each);
                }
            }
        } catch (IOException e) {
            throw new EngineException("cannot clear the directory " + folder + ": " + FileFailure.reason(e), e);
        }
    }

    /** Native code that takes long, so not on a virtual thread: others share its carrier. */
    StagedFiles stage(RowSource rows) {
        try {
            return CompletableFuture.supplyAsync(
                            () -> write(rows),
                            task -> Thread.ofPlatform()
                                    .daemon()
                                    .name("semel-stage")
                                    .start(task))
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    private StagedFiles write(RowSource rows) {
        long number = numbers.incrementAndGet();
        try (FileWriter files =
                new FileWriter(options, table -> folder.resolve(number + "-" + RocksStore.name(table) + ".sst"))) {
            rows.applyTo(files);
            StagedFiles written = files.finish();
            if (files.bytes() > FLUSHED_BYTES_MIN) {
                // When a file is ingested, what is in memory beside its keys goes to disk while others wait: better
                // now.
                store.flush(true);
            }
            DataDirectory.syncNames(folder);
            return written;
        } catch (IOException e) {
            throw new EngineException("cannot sync the directory " + folder + ": " + FileFailure.reason(e), e);
        }
    }

    /** The batch and the files, as one; durable when this returns. */
    void write(Batch batch, StagedFiles staged) throws RocksDBException {
        exclusive.lock();
        try {
            announce(batch, staged);
            takeIn(staged);
        } finally {
            exclusive.unlock();
        }
    }

    /** Runs when no commit is half taken in. */
    void whileIdle(Checkpointing work) throws RocksDBException {
        exclusive.lock();
        try {
            work.run();
        } finally {
            exclusive.unlock();
        }
    }

    interface Checkpointing {
        void run() throws RocksDBException;
    }

    void announce(Batch batch, StagedFiles staged) throws RocksDBException {
        staged.announcing();
        store.write(batch, encode(staged), true);
    }

    private void takeIn(StagedFiles staged) throws RocksDBException {
        try (IngestExternalFileOptions how = new IngestExternalFileOptions().setMoveFiles(true)) {
            for (Map.Entry<Table, Path> each : staged.files().entrySet()) {
                if (Files.exists(each.getValue())) {
                    store.engine()
                            .ingestExternalFile(
                                    store.family(each.getKey()),
                                    List.of(each.getValue().toString()),
                                    how);
                }
            }
        }
        store.write(new Batch(), NONE, false);
    }

    private static byte[] encode(StagedFiles staged) {
        return staged.files().entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue().getFileName())
                .collect(Collectors.joining("\n"))
                .getBytes(StandardCharsets.UTF_8);
    }

    private Map<Table, Path> decode(byte[] named) {
        Map<Table, Path> files = new EnumMap<>(Table.class);
        for (String line : new String(named, StandardCharsets.UTF_8).split("\n", -1)) {
            int space = line.indexOf(' ');
            files.put(Table.valueOf(line.substring(0, space)), folder.resolve(line.substring(space + 1)));
        }
        return files;
    }
}
