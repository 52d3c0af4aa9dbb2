package dev.semel.store.spill;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;
import org.xerial.snappy.Snappy;

/** One temporary file, which is appended to by one thread and read at any place by others. */
final class SpillFile implements AutoCloseable {
    /** Length of the block, of the same compressed, and its checksum. */
    private static final int HEAD_BYTES = 3 * Integer.BYTES;

    private final SpillFiles owner;
    private final FileChannel channel;
    private final AtomicBoolean closed = new AtomicBoolean();
    private long end;

    SpillFile(SpillFiles owner, FileChannel channel) {
        this.owner = owner;
        this.channel = channel;
    }

    /** What has been written. */
    long bytes() {
        return end;
    }

    /** Writes a block at the end. */
    void append(byte[] block, int length) {
        try {
            byte[] out = new byte[HEAD_BYTES + Snappy.maxCompressedLength(length)];
            int compressed = Snappy.compress(block, 0, length, out, HEAD_BYTES);
            ByteBuffer all = ByteBuffer.wrap(out, 0, HEAD_BYTES + compressed);
            all.putInt(0, length)
                    .putInt(Integer.BYTES, compressed)
                    .putInt(2 * Integer.BYTES, checksum(out, compressed));
            owner.reserve(all.remaining());
            long at = end;
            end += all.remaining();
            while (all.hasRemaining()) {
                at += channel.write(all, at);
            }
        } catch (IOException e) {
            throw owner.failure("write", e);
        }
    }

    /** The block at a place; {@link Block#next} is where the following one begins. */
    void read(long at, Block into) {
        try {
            ByteBuffer head = ByteBuffer.wrap(into.stored(HEAD_BYTES), 0, HEAD_BYTES);
            fill(head, at);
            int length = head.getInt(0);
            int compressed = head.getInt(Integer.BYTES);
            int expected = head.getInt(2 * Integer.BYTES);
            if (length < 0 || compressed < 0 || compressed > end - at - HEAD_BYTES) {
                throw damaged(at);
            }
            byte[] bytes = into.stored(HEAD_BYTES + compressed);
            fill(ByteBuffer.wrap(bytes, HEAD_BYTES, compressed), at + HEAD_BYTES);
            if (checksum(bytes, compressed) != expected
                    || Snappy.uncompressedLength(bytes, HEAD_BYTES, compressed) != length) {
                throw damaged(at);
            }
            Snappy.uncompress(bytes, HEAD_BYTES, compressed, into.begin(length), 0);
            into.next(at + HEAD_BYTES + compressed);
        } catch (IOException e) {
            throw owner.failure("read", e);
        }
    }

    private void fill(ByteBuffer into, long at) throws IOException {
        long from = at;
        while (into.hasRemaining()) {
            int read = channel.read(into, from);
            if (read < 0) {
                throw damaged(at);
            }
            from += read;
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, HEAD_BYTES, length);
        return (int) checksum.getValue();
    }

    private static CommandException damaged(long at) {
        return new CommandException(
                ErrorCode.InternalError, "a temporary file is damaged: the checksum of the block at %d is wrong", at);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                channel.close();
            } catch (IOException e) {
                throw owner.failure("remove", e);
            } finally {
                owner.closed(end);
            }
        }
    }
}
