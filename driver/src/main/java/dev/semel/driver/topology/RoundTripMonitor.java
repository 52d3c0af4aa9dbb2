package dev.semel.driver.topology;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.connection.ConnectionSettings;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.DocumentCommand;
import dev.semel.driver.connection.MonitorHello;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/** Measures round trips on its own connection while the monitor waits for streamed replies. Its failures are ignored. */
final class RoundTripMonitor {
    private final ServerAddress address;
    private final ConnectionSettings connections;
    private final Duration frequency;
    private final RoundTrip roundTrip;
    private final AtomicBoolean isStarted = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Connection connection;

    RoundTripMonitor(ServerAddress address, ConnectionSettings connections, Duration frequency, RoundTrip roundTrip) {
        this.address = address;
        this.connections = connections;
        this.frequency = frequency;
        this.roundTrip = roundTrip;
    }

    void startOnce() {
        if (isStarted.compareAndSet(false, true)) {
            Thread.ofVirtual().name("semel-rtt-" + address).start(this::run);
        }
    }

    private void run() {
        try {
            do {
                measure();
            } while (!closed.await(frequency.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closeConnection();
        }
    }

    private void measure() {
        long start = connections.time().nanos();
        try {
            Connection open = connection;
            if (open == null) {
                open = new Connection(address, 0, 0, connections);
                connection = open;
                open.open(Deadline.NONE, MonitorHello.MONITOR);
            } else {
                var hello = new BsonDocument("hello", new BsonInt32(1));
                open.exchange(
                        new DocumentCommand("admin", hello, connections.serverApi()),
                        connections.time().after(connections.connectTimeout()));
            }
            roundTrip.add(connections.time().since(start));
        } catch (RuntimeException e) {
            closeConnection();
        }
    }

    void close() {
        closed.countDown();
        closeConnection();
    }

    private void closeConnection() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }
}
