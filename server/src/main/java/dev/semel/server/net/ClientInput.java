package dev.semel.server.net;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** What a client sends, counted. Between reads, another thread may check whether the client is still connected. */
final class ClientInput extends InputStream {
    private static final int LOOK_MILLIS = 1;

    /** Each carrier keeps a buffer outside the heap of the longest read. */
    private static final int CHUNK_BYTES = 64 << 10;

    private static final byte[] NOTHING = {};

    private final Socket socket;
    private final InputStream in;
    private final LongAdder bytes;

    /** Held by who reads. */
    private final ReentrantLock reading = new ReentrantLock();

    /** What has been read already and waits from {@link #aheadStart} on. Guarded by the lock. */
    private byte[] ahead = NOTHING;

    private int aheadStart;

    /** Whether a loop reads the socket. Guarded by the lock. */
    private boolean isShared;

    /** The socket only for its timeout: what comes in may have been read from it, or have to be deciphered. */
    ClientInput(Socket socket, InputStream in, LongAdder bytes) {
        this.socket = socket;
        this.in = in;
        this.bytes = bytes;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        reading.lock();
        try {
            int read;
            if (aheadStart < ahead.length) {
                read = Math.min(length, ahead.length - aheadStart);
                System.arraycopy(ahead, aheadStart, into, offset, read);
                aheadStart += read;
            } else {
                read = in.read(into, offset, Math.min(length, CHUNK_BYTES));
            }
            if (read > 0) {
                bytes.add(read);
            }
            return read;
        } finally {
            reading.unlock();
        }
    }

    /** From now on a loop reads the socket and says by {@link #push} what it has read; false if something is here already. */
    boolean share() {
        reading.lock();
        try {
            isShared = aheadStart == ahead.length;
            return isShared;
        } finally {
            reading.unlock();
        }
    }

    /** The next bytes to be read; all before them have been. */
    void push(byte[] bytes) {
        reading.lock();
        try {
            ahead = bytes;
            aheadStart = 0;
        } finally {
            reading.unlock();
        }
    }

    /** What is here is read first, then the socket. */
    void unshare() {
        reading.lock();
        try {
            isShared = false;
        } finally {
            reading.unlock();
        }
    }

    /** Whether the client has gone, as far as that shows: one that has sent more already is not looked behind. */
    boolean hasEnded() {
        if (!reading.tryLock()) {
            return false;
        }
        try {
            return !isShared && aheadStart == ahead.length && looksEnded();
        } catch (IOException e) {
            return true;
        } finally {
            reading.unlock();
        }
    }

    private boolean looksEnded() throws IOException {
        socket.setSoTimeout(LOOK_MILLIS);
        try {
            byte[] one = new byte[1];
            if (in.read(one) < 0) {
                return true;
            }
            ahead = one;
            aheadStart = 0;
            return false;
        } catch (SocketTimeoutException e) {
            return false;
        } finally {
            socket.setSoTimeout(0);
        }
    }
}
