package dev.semel.blackpipe.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** The port of the proxy that leads to one server, and whether that one plays at being deposed. */
final class Door {
    private final String target;
    private final ServerSocket listening;
    private volatile long deposedUntilNanos;

    /** An outage of nearly three hundred years is one for ever. */
    private static final long FOREVER_NANOS = Long.MAX_VALUE / 2;

    Door(String target, int port) throws IOException {
        this.target = target;
        this.listening = new ServerSocket(port, 200, InetAddress.getLoopbackAddress());
        this.deposedUntilNanos = System.nanoTime();
    }

    /** As {@code host:port}. */
    String target() {
        return target;
    }

    String address() {
        return listening.getInetAddress().getHostAddress() + ":" + listening.getLocalPort();
    }

    void accept(BiConsumer<Door, Socket> entered) {
        while (!listening.isClosed()) {
            try {
                entered.accept(this, listening.accept());
            } catch (IOException e) {
                // Closed, or a client that left before it was let in.
            }
        }
    }

    void depose(long ms) {
        deposedUntilNanos = after(ms);
    }

    boolean isDeposed() {
        return deposedUntilNanos - System.nanoTime() > 0;
    }

    static long after(long ms) {
        return System.nanoTime() + Math.min(FOREVER_NANOS, TimeUnit.MILLISECONDS.toNanos(ms));
    }

    void close() throws IOException {
        listening.close();
    }
}
