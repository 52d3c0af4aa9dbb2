package dev.semel.blackpipe.proxy;

import dev.semel.blackpipe.message.RawFrame;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.LittleEndian;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a link. Frames that need not be inspected are forwarded in the chunks in which they arrive, and only the
 * beginning of each is read; the others are handed over one by one.
 */
final class FramePump {
    private static final int HEADER_BYTES = 16;

    /** Small at first, so that thousands of idle connections cost little. */
    private static final int BUFFER_BYTES_MIN = 4 * 1024;

    private static final int BUFFER_BYTES_MAX = 64 * 1024;

    private final InputStream in;
    private final OutputStream out;
    private final ReentrantLock writing;
    private final int lookedAtBytes;
    private final Selector selector;
    private byte[] buffer = new byte[BUFFER_BYTES_MIN];
    private int start;
    private int end;

    /** Decides by the beginning of a frame whether it must be handed over. */
    @FunctionalInterface
    interface Selector {
        boolean wants(byte[] bytes, int from, int to);
    }

    /** The lock is held while a frame is written; the selector gets this much of each frame, or all of a shorter one. */
    FramePump(InputStream in, OutputStream out, ReentrantLock writing, int lookedAtBytes, Selector selector) {
        this.in = in;
        this.out = out;
        this.writing = writing;
        this.lookedAtBytes = lookedAtBytes;
        this.selector = selector;
    }

    /** Forwards frames up to the next one that must be handed over, and returns that; null at the end of the stream. */
    @Nullable
    RawFrame next() throws IOException {
        int at = start;
        while (true) {
            int length = end - at < HEADER_BYTES ? HEADER_BYTES : LittleEndian.int32(buffer, at);
            if (length < HEADER_BYTES || length > Limits.MESSAGE_BYTES_MAX) {
                throw new IOException("a message of " + length + " bytes");
            }
            if (end - at < HEADER_BYTES || end - at < Math.min(length, lookedAtBytes)) {
                pass(at);
                if (!fill()) {
                    return null;
                }
                at = start;
            } else if (selector.wants(buffer, at, Math.min(end, at + length))) {
                pass(at);
                return taken(length);
            } else if (length <= end - at) {
                at += length;
            } else {
                passRest(at, length);
                at = start;
            }
        }
    }

    /** Waits for the end of the stream, whatever else comes. */
    void awaitEnd() throws IOException {
        while (in.read(buffer) >= 0) {
            // Discarded.
        }
    }

    /** Writes the bytes before this position. */
    private void pass(int to) throws IOException {
        if (to > start) {
            writing.lock();
            try {
                out.write(buffer, start, to - start);
            } finally {
                writing.unlock();
            }
            start = to;
        }
    }

    /** Writes everything up to the end of a frame that has not arrived completely. */
    private void passRest(int at, int length) throws IOException {
        writing.lock();
        try {
            out.write(buffer, start, end - start);
            int rest = at + length - end;
            start = 0;
            end = 0;
            grow();
            while (rest > 0) {
                int read = in.read(buffer, 0, Math.min(rest, buffer.length));
                if (read < 0) {
                    throw new EOFException("the stream ended inside a message");
                }
                out.write(buffer, 0, read);
                rest -= read;
            }
        } finally {
            writing.unlock();
        }
    }

    private RawFrame taken(int length) throws IOException {
        int here = Math.min(length, end - start);
        byte[] frame = Arrays.copyOfRange(buffer, start, start + here);
        start += here;
        if (here < length) {
            // Not made as long as it claims to be before the bytes have come.
            byte[] rest = in.readNBytes(length - here);
            if (rest.length < length - here) {
                throw new EOFException("the stream ended inside a message");
            }
            frame = Arrays.copyOf(frame, length);
            System.arraycopy(rest, 0, frame, here, rest.length);
        }
        return RawFrame.of(frame);
    }

    /** Reads more; false if the stream has ended between two frames. */
    private boolean fill() throws IOException {
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        start = 0;
        int read = in.read(buffer, end, buffer.length - end);
        if (read < 0 && end > 0) {
            throw new EOFException("the stream ended inside a message header");
        }
        if (read < 0) {
            return false;
        }
        end += read;
        if (end == buffer.length) {
            grow();
        }
        return true;
    }

    private void grow() {
        if (buffer.length < BUFFER_BYTES_MAX) {
            buffer = Arrays.copyOf(buffer, Math.min(BUFFER_BYTES_MAX, 4 * buffer.length));
        }
    }
}
