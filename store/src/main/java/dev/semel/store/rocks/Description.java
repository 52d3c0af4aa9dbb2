package dev.semel.store.rocks;

import dev.semel.store.Batch;
import dev.semel.store.EngineException;
import dev.semel.store.LogPosition;
import dev.semel.store.Position;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** What a directory says of itself, in a table of its own. */
final class Description {
    /**
     * Format 1 had no notes of retired ranges: who writes it deletes them at once, and keeps no account of what is removed from
     * the oplog. It can be read.
     */
    private static final int FORMAT = 2;

    private static final int OLDEST_FORMAT = 1;
    private static final byte[] FORMAT_KEY = ascii("format");

    /** Up to where the engine has applied; named as in the first release. */
    static final byte[] POSITION_KEY = ascii("clusterTime");

    private Description() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Refuses a directory of a later format, and makes it known to earlier versions that this one has written. */
    static void checkFormat(
            RocksDB engine, ColumnFamilyHandle description, WriteOptions synced, Path directory, boolean isNew)
            throws RocksDBException {
        byte[] format = engine.get(description, FORMAT_KEY);
        if (format == null) {
            // A directory whose making was cut short has no format either, and nothing else.
            if (!isNew && engine.getLatestSequenceNumber() > 0) {
                throw new EngineException("the directory " + directory + " was not written by Semel");
            }
            putFormat(engine, description, synced);
            return;
        }
        int found = ByteBuffer.wrap(format).getInt();
        if (found < OLDEST_FORMAT || found > FORMAT) {
            throw new EngineException("the directory %s has the format %d, this version of Semel reads %d to %d"
                    .formatted(directory, found, OLDEST_FORMAT, FORMAT));
        }
        if (found < FORMAT) {
            putFormat(engine, description, synced);
        }
    }

    private static void putFormat(RocksDB engine, ColumnFamilyHandle description, WriteOptions synced)
            throws RocksDBException {
        engine.put(
                description,
                synced,
                FORMAT_KEY,
                ByteBuffer.allocate(Integer.BYTES).putInt(FORMAT).array());
    }

    static Position position(RocksDB engine, ColumnFamilyHandle description) throws RocksDBException {
        byte[] stored = engine.get(description, POSITION_KEY);
        return stored == null ? Position.NONE : position(ByteBuffer.wrap(stored));
    }

    static boolean hasPosition(Batch batch) {
        return !batch.position().equals(Position.NONE);
    }

    static byte[] bytes(Position position) {
        return ByteBuffer.allocate(5 * Long.BYTES)
                .putLong(position.clusterTime())
                .putLong(position.term())
                .putLong(position.sequence())
                .putLong(position.log().term())
                .putLong(position.log().index())
                .array();
    }

    /** Directories of the first release have the cluster time alone. */
    private static Position position(ByteBuffer stored) {
        long clusterTime = stored.getLong();
        return stored.hasRemaining()
                ? new Position(
                        stored.getLong(),
                        stored.getLong(),
                        clusterTime,
                        new LogPosition(stored.getLong(), stored.getLong()))
                : new Position(0, 0, clusterTime);
    }
}
