package dev.semel.server.net;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts what goes out, and knows how long the client has taken nothing of it. On a loop it does not wait for the client. */
final class CountedOutput extends FilterOutputStream {
    private static final int CHUNK_BYTES = 64 << 10;

    private final LongAdder bytes;
    private final LongSupplier nanoTime;

    /** Of a socket that a loop serves; null if writing may wait. */
    private @Nullable SocketChannel shared;

    /** The arrays are those that were given, which nobody changes. */
    private final Queue<ByteBuffer> rest = new ArrayDeque<>(2);

    /** When the chunk that is being written was begun; 0 if none is. */
    private volatile long sinceNanos;

    CountedOutput(OutputStream out, LongAdder bytes, LongSupplier nanoTime) {
        super(out);
        this.bytes = bytes;
        this.nanoTime = nanoTime;
    }

    /** From now on takes at once what it is given, as far as the socket does; {@link #hasRest} says whether something is left. */
    void share(SocketChannel channel) {
        shared = channel;
    }

    boolean hasRest() {
        return !rest.isEmpty();
    }

    /** Waits again until the client has taken what it is given. */
    void unshare() {
        shared = null;
    }

    /** Writes what was left. */
    void writeRest() throws IOException {
        for (ByteBuffer left = rest.poll(); left != null; left = rest.poll()) {
            write(left.array(), left.arrayOffset() + left.position(), left.remaining());
        }
    }

    private void writeShared(SocketChannel channel, ByteBuffer from) throws IOException {
        int end = from.limit();
        boolean takesMore = !hasRest();
        while (takesMore && from.position() < end) {
            // A JDK may copy all that it is given, and keep as much memory outside the heap for the thread.
            from.limit(Math.min(end, from.position() + CHUNK_BYTES));
            bytes.add(channel.write(from));
            takesMore = !from.hasRemaining();
        }
        from.limit(end);
        if (from.hasRemaining()) {
            rest.add(from);
        }
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        SocketChannel channel = shared;
        if (channel != null) {
            writeShared(channel, ByteBuffer.wrap(from, offset, length));
            return;
        }
        try {
            for (int done = 0; done < length; done += CHUNK_BYTES) {
                sinceNanos = Math.max(1, nanoTime.getAsLong());
                out.write(from, offset + done, Math.min(CHUNK_BYTES, length - done));
            }
        } finally {
            sinceNanos = 0;
        }
        bytes.add(length);
    }

    /** For how long the client has taken nothing of what waits for it; 0 if nothing does. */
    long stalledNanos() {
        long since = sinceNanos;
        return since == 0 ? 0 : nanoTime.getAsLong() - since;
    }
}
