package dev.semel.store.rocks;

import dev.semel.store.EngineException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The end of the engine's own log, in which earlier versions kept their commits, after a power loss, where the disk may have
 * anything. RocksDB stops there by checksums, but where it finds the type of a record of a reused log file, which this store
 * never has, it reads that record for ever
 * (<a href="https://github.com/facebook/rocksdb/issues/13333">RocksDB issue 13333</a>). Such an end is cut off before.
 *
 * <p>The MANIFEST, the list of the engine's files, is written and read in the same way. Each of its records is on disk before
 * the engine relies on it, so what has to be cut off is at its end; whole records behind it mean that the disk is damaged, and
 * to cut them off would lose files.
 */
final class LogTail {
    /** Records do not cross blocks. */
    private static final int BLOCK_BYTES = 32 << 10;

    // The head of a record: checksum (4), length (2), type (1).
    private static final int LENGTH_AT = 4;
    private static final int TYPE_AT = 6;
    private static final int HEAD_BYTES = 7;

    /** Of records in reused log files, whose heads are longer. */
    private static final Set<Integer> REUSED_TYPES = Set.of(5, 6, 7, 8, 11, 131);

    /** RocksDB does not store a checksum as it is. */
    private static final int CHECKSUM_MASK = 0xa282ead8;

    private static final String CURRENT = "CURRENT";

    private LogTail() {}

    /** Of all logs, and of the MANIFEST, in a directory that nobody has open. */
    static void cut(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> logs =
                    files.filter(each -> each.toString().endsWith(".log")).toList();
            for (Path each : logs) {
                cutFile(each, false);
            }
            Path manifest = directory.resolve(
                    Files.readString(directory.resolve(CURRENT)).strip());
            if (Files.exists(manifest)) {
                cutFile(manifest, true);
            }
        } catch (IOException e) {
            throw new EngineException("cannot read the logs in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** @param isSynced whether nothing that is whole can be behind the end */
    private static void cutFile(Path log, boolean isSynced) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (long at = 0; at < channel.size(); at += BLOCK_BYTES) {
                read(channel, block.clear(), at);
                int end = endOfRecords(block);
                if (end + TYPE_AT < block.limit() && REUSED_TYPES.contains(type(block, end))) {
                    if (isSynced && hasRecordBehind(channel, at + BLOCK_BYTES)) {
                        throw new EngineException(
                                "the file %s is damaged at byte %d: restore the directory from a copy, or remove it if this is a member of a replica set, which gets its data from the others"
                                        .formatted(log, at + end));
                    }
                    channel.truncate(at + end);
                    channel.force(true);
                    return;
                }
            }
        }
    }

    /** Blocks begin with a record. */
    private static boolean hasRecordBehind(FileChannel channel, long from) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long at = from; at < channel.size(); at += BLOCK_BYTES) {
            read(channel, block.clear(), at);
            if (beginsWithRecord(block)) {
                return true;
            }
        }
        return false;
    }

    private static boolean beginsWithRecord(ByteBuffer block) {
        int length = block.limit() < HEAD_BYTES ? 0 : Short.toUnsignedInt(block.getShort(LENGTH_AT));
        if (length == 0 || HEAD_BYTES + length > block.limit()) {
            return false;
        }
        CRC32C checksum = new CRC32C();
        checksum.update(block.slice(TYPE_AT, 1 + length));
        int value = (int) checksum.getValue();
        return block.getInt(0) == ((value >>> 15) | (value << 17)) + CHECKSUM_MASK;
    }

    private static void read(FileChannel channel, ByteBuffer block, long at) throws IOException {
        while (block.hasRemaining() && channel.read(block, at + block.position()) >= 0) {}
        block.flip();
    }

    /** Where the first record begins that is none, or is not whole. */
    private static int endOfRecords(ByteBuffer block) {
        int at = 0;
        while (at + HEAD_BYTES <= block.limit() && !REUSED_TYPES.contains(type(block, at))) {
            int length = Short.toUnsignedInt(block.getShort(at + LENGTH_AT));
            boolean isPadding = length == 0 && type(block, at) == 0;
            if (isPadding || at + HEAD_BYTES + length > block.limit()) {
                return block.limit();
            }
            at += HEAD_BYTES + length;
        }
        return at;
    }

    private static int type(ByteBuffer block, int at) {
        return Byte.toUnsignedInt(block.get(at + TYPE_AT));
    }
}
