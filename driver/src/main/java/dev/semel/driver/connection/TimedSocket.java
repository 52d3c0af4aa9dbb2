package dev.semel.driver.connection;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A socket on which reading and writing end when a deadline passes, however many bytes still come or go. TLS and the
 * handshake with a proxy run over it, so that it bounds them too. A write that took too long has closed the socket.
 */
final class TimedSocket extends Socket {
    private volatile Deadline deadline = Deadline.NONE;

    /** For each read, where there is no deadline; 0 is no limit. */
    private volatile int readTimeoutMs;

    /** From now on. The duration is for each single read, and only where no deadline is given. */
    void limit(Deadline until, @Nullable Duration eachRead) {
        deadline = until;
        readTimeoutMs = eachRead == null || until.isGiven() ? 0 : milliseconds(eachRead.toMillis());
    }

    /** What is left for connecting, of which the operating system keeps the time; 0 is no limit. */
    int remainingMs() throws SocketTimeoutException {
        Deadline until = deadline;
        if (!until.isSet()) {
            return readTimeoutMs;
        }
        long ms = until.remainingMs();
        if (ms <= 0) {
            throw new SocketTimeoutException("no time left");
        }
        return milliseconds(ms);
    }

    private static int milliseconds(long ms) {
        return (int) Math.min(ms, Integer.MAX_VALUE);
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new TimedInput(super.getInputStream());
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return new TimedOutput(super.getOutputStream());
    }

    private final class TimedInput extends FilterInputStream {
        TimedInput(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            setSoTimeout(remainingMs());
            return in.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            setSoTimeout(remainingMs());
            return in.read(into, offset, length);
        }
    }

    private final class TimedOutput extends FilterOutputStream {
        TimedOutput(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (!deadline.isSet()) {
                out.write(bytes, offset, length);
                return;
            }
            var watch = new Watch(remainingMs());
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                if (watch.hasFired) {
                    var timeout = new SocketTimeoutException("Write timed out");
                    timeout.initCause(e);
                    throw timeout;
                }
                throw e;
            } finally {
                watch.done.countDown();
            }
        }
    }

    /** Closes the socket under a write that takes too long: there is no other way to end one. */
    private final class Watch {
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile boolean hasFired;

        Watch(int ms) {
            Thread.ofVirtual().name("semel-write-timeout").start(() -> run(ms));
        }

        private void run(int ms) {
            try {
                if (!done.await(ms, TimeUnit.MILLISECONDS)) {
                    hasFired = true;
                    Transport.closeQuietly(TimedSocket.this);
                }
            } catch (InterruptedException e) {
                // No other code has a reference to this thread.
                Thread.currentThread().interrupt();
            }
        }
    }
}
