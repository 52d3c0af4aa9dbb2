package dev.semel.store.rocks;

import dev.semel.store.Batch;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/** Writes the rows of a batch into files, one for each table. */
final class FileWriter implements Batch.Target, AutoCloseable {
    private final EngineOptions options;
    private final Function<Table, Path> names;
    private final EnvOptions environment = new EnvOptions();
    private final Map<Table, OneFile> files = new EnumMap<>(Table.class);

    private long bytes;

    private record OneFile(Path path, Options options, SstFileWriter writer) {}

    FileWriter(EngineOptions options, Function<Table, Path> names) {
        this.options = options;
        this.names = names;
    }

    private SstFileWriter file(Table table) throws RocksDBException {
        OneFile known = files.get(table);
        if (known != null) {
            return known.writer;
        }
        Options plain = options.file(table);
        SstFileWriter writer = new SstFileWriter(environment, plain);
        Path path = names.apply(table);
        files.put(table, new OneFile(path, plain, writer));
        writer.open(path.toString());
        return writer;
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        bytes += key.length + value.length;
        try {
            file(table).put(key, value);
        } catch (RocksDBException e) {
            throw RocksStore.failure("staging a commit", e);
        }
    }

    @Override
    public void delete(Table table, byte[] key) {
        bytes += key.length;
        try {
            file(table).delete(key);
        } catch (RocksDBException e) {
            throw RocksStore.failure("staging a commit", e);
        }
    }

    @Override
    public void deleteRange(Table table, KeyRange range) {
        throw new IllegalArgumentException("ranges are not staged");
    }

    /** Of the keys and values. */
    long bytes() {
        return bytes;
    }

    /** Completes the files, which are on disk then. */
    StagedFiles finish() {
        Map<Table, Path> written = new EnumMap<>(Table.class);
        try {
            for (Map.Entry<Table, OneFile> each : files.entrySet()) {
                each.getValue().writer.finish();
                written.put(each.getKey(), each.getValue().path);
            }
        } catch (RocksDBException e) {
            throw RocksStore.failure("staging a commit", e);
        }
        return new StagedFiles(written);
    }

    @Override
    public void close() {
        for (OneFile each : files.values()) {
            each.writer.close();
            each.options.close();
        }
        environment.close();
    }
}
