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

    private final Socket socket;
    private final InputStream in;
    private final LongAdder bytes;

    /** Held by who reads. */
    private final ReentrantLock reading = new ReentrantLock();

    /** A byte that looking has brought in; -1 for none. Guarded by the lock. */
    private int ahead = -1;

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
            if (ahead >= 0 && length > 0) {
                into[offset] = (byte) ahead;
                ahead = -1;
                read = 1;
            } else {
                read = in.read(into, offset, length);
            }
            if (read > 0) {
                bytes.add(read);
            }
            return read;
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
            return ahead < 0 && looksEnded();
        } catch (IOException e) {
            return true;
        } finally {
            reading.unlock();
        }
    }

    private boolean looksEnded() throws IOException {
        socket.setSoTimeout(LOOK_MILLIS);
        try {
            ahead = in.read();
            return ahead < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } finally {
            socket.setSoTimeout(0);
        }
    }
}
