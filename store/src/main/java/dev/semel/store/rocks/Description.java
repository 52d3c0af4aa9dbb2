package dev.semel.store.rocks;

import dev.semel.store.Batch;
import dev.semel.store.EngineException;
import dev.semel.store.LogPosition;
import dev.semel.store.Position;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** What a directory says of itself, in a table of its own. */
final class Description {
    /**
     * Earlier ones can be read. Format 1 had no notes of retired ranges: who writes it deletes them at once, and keeps no
     * account of what is removed from the oplog. Before format 3 there was no journal, but a log of the engine.
     */
    private static final int FORMAT = 3;

    private static final int OLDEST_FORMAT = 1;
    private static final byte[] FORMAT_KEY = ascii("format");

    /** Up to where the engine has applied; named as in the first release. */
    static final byte[] POSITION_KEY = ascii("clusterTime");

    /** Of the newest batch in the {@link Journal}, as 8 bytes. */
    static final byte[] NUMBER_KEY = ascii("batch");

    private Description() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Refuses a directory of a later format; false if it is new or of an earlier one. */
    static boolean hasFormat(RocksDB engine, ColumnFamilyHandle description, Path directory, boolean isNew)
            throws RocksDBException {
        byte[] format = engine.get(description, FORMAT_KEY);
        if (format == null) {
            // A directory whose making was cut short has no format either, and nothing else.
            if (!isNew && engine.getLatestSequenceNumber() > 0) {
                throw new EngineException("the directory " + directory + " was not written by Semel");
            }
            return false;
        }
        int found = ByteBuffer.wrap(format).getInt();
        if (found < OLDEST_FORMAT || found > FORMAT) {
            throw new EngineException("the directory %s has the format %d, this version of Semel reads %d to %d"
                    .formatted(directory, found, OLDEST_FORMAT, FORMAT));
        }
        return found == FORMAT;
    }

    /** Makes it known to earlier versions that this one has written: after the next flush, for they do not know the journal. */
    static void putFormat(RocksDB engine, ColumnFamilyHandle description, WriteOptions how) throws RocksDBException {
        engine.put(
                description,
                how,
                FORMAT_KEY,
                ByteBuffer.allocate(Integer.BYTES).putInt(FORMAT).array());
    }

    /** Of the newest batch of the {@link Journal} that is in the engine's files; 0 if there is none. */
    static long persistedNumber(RocksDB engine, ColumnFamilyHandle description) throws RocksDBException {
        try (ReadOptions files = new ReadOptions().setReadTier(ReadTier.PERSISTED_TIER)) {
            byte[] number = engine.get(description, files, NUMBER_KEY);
            return number == null ? 0 : ByteBuffer.wrap(number).getLong();
        }
    }

    static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
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
