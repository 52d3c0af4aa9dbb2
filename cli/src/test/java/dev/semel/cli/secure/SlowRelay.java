package dev.semel.cli.secure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Stands between client and server, looks at nothing, and becomes slow when it is told to. */
final class SlowRelay implements AutoCloseable {
    private static final long DRIP_MS = 50;

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean drips;
    private volatile boolean isDeaf;

    SlowRelay(int server) throws IOException {
        this.server = server;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** From now on answers come byte by byte. */
    void drip() {
        drips = true;
    }

    /** From now on nothing is read from clients. */
    void stopReading() {
        isDeaf = true;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                var behind = new Socket(InetAddress.getLoopbackAddress(), server);
                open.add(client);
                open.add(behind);
                Thread.ofVirtual().start(() -> copy(client, behind, false));
                Thread.ofVirtual().start(() -> copy(behind, client, true));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void copy(Socket from, Socket to, boolean isAnswer) {
        byte[] bytes = new byte[8192];
        try (from;
                to) {
            for (int read = 0; read >= 0; read = from.getInputStream().read(bytes)) {
                for (int i = 0; isAnswer && drips && i < read; i++) {
                    to.getOutputStream().write(bytes[i]);
                    end.await(DRIP_MS, TimeUnit.MILLISECONDS);
                }
                if (!isAnswer && isDeaf) {
                    end.await();
                }
                if (!isAnswer || !drips) {
                    to.getOutputStream().write(bytes, 0, read);
                }
            }
        } catch (IOException | InterruptedException e) {
            // One of the two has gone, or the relay.
        }
    }

    @Override
    public void close() {
        end.countDown();
        try {
            listener.close();
            for (Socket each : open) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
