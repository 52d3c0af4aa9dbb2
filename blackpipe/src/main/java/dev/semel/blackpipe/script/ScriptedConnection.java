package dev.semel.blackpipe.script;

import dev.semel.blackpipe.message.RawFrame;
import dev.semel.blackpipe.message.Replies;
import dev.semel.blackpipe.message.Request;
import dev.semel.wire.bson.RawDocument;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** A client connection of a scripted server. A separate thread reads it; any thread may write replies. */
final class ScriptedConnection {
    /** Handles a request. */
    interface Handler {
        void handle(Request request, ScriptedConnection connection) throws IOException, InterruptedException;
    }

    private final int number;
    private final Socket socket;
    private final int readableBytes;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ReentrantLock writing = new ReentrantLock();
    private final AtomicInteger replies = new AtomicInteger();
    private volatile String application = "";

    ScriptedConnection(int number, Socket socket, int readableBytes) {
        this.number = number;
        this.socket = socket;
        this.readableBytes = readableBytes;
    }

    void serve(Handler handler) {
        try (socket) {
            BufferedInputStream in = new BufferedInputStream(new ReadableBytes(socket.getInputStream()));
            for (RawFrame frame = RawFrame.read(in); frame != null; frame = RawFrame.read(in)) {
                Request request = new Request(number, application, frame.decoded());
                if (request.isHello()) {
                    application = request.introducedAs().orElse(application);
                    request = new Request(number, application, request.frame());
                }
                handler.handle(request, this);
            }
        } catch (IOException e) {
            // The client has gone, or the test hung up: either way this connection is over.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The bytes that may be read; after them a read waits until the connection is closed. */
    private final class ReadableBytes extends FilterInputStream {
        private int left = readableBytes;

        ReadableBytes(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (left == 0) {
                try {
                    closed.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return -1;
            }
            int read = super.read(into, offset, Math.min(length, left));
            left -= Math.max(read, 0);
            return read;
        }
    }

    byte[] frame(Request request, int flags, RawDocument reply) {
        try {
            return Replies.frame(request, replies.incrementAndGet(), flags, reply);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns false when the client has gone, which is for the client's end of the test to notice. */
    boolean send(byte[] bytes) {
        writing.lock();
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            writing.unlock();
        }
    }

    void close() {
        closed.countDown();
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void reset() {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It is closed already.
            return;
        }
        close();
    }
}
