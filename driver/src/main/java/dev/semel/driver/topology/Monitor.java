package dev.semel.driver.topology;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.connection.ConnectionSettings;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.DocumentCommand;
import dev.semel.driver.connection.MonitorHello;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.connection.Time;
import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.description.TopologyVersion;
import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.ServerMonitoringMode;
import dev.semel.wire.message.Message;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;

/**
 * Monitors one server on its own connection and thread. A server that supports streaming gets one {@code hello} and replies
 * whenever its state changes; {@link RoundTripMonitor} measures its round trip time. Other servers are polled.
 */
final class Monitor {
    private final ServerAddress address;
    private final Topology topology;
    private final TopologySettings settings;
    private final ConnectionSettings connections;
    private final Time time;
    private final RoundTrip roundTrip = new RoundTrip();
    private final RoundTripMonitor roundTripMonitor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private boolean checkIsWanted;
    private int connectionsMade;
    private volatile boolean isClosed;
    private volatile @Nullable Connection connection;

    /** Whether the server will send another reply of its stream. */
    private volatile boolean moreToCome;

    private volatile @Nullable TopologyVersion streamedFrom;

    /** A failed operation has been reported already, so the failure of the current check must not be reported again. */
    private volatile boolean isCancelled;

    Monitor(ServerAddress address, Topology topology, TopologySettings settings) {
        this.address = address;
        this.topology = topology;
        this.settings = settings;
        connections = settings.connections().forMonitor();
        time = connections.time();
        roundTripMonitor = new RoundTripMonitor(address, connections, settings.heartbeatFrequency(), roundTrip);
    }

    void start() {
        Thread.ofVirtual().name("semel-monitor-" + address).start(this::run);
    }

    private void run() {
        ServerType known = ServerType.UNKNOWN;
        while (!isClosed) {
            ServerType found = check();
            if (isClosed) {
                break;
            }
            // The server may have restarted: it is checked again at once.
            boolean isWorthAnotherLook = found == ServerType.UNKNOWN && known != ServerType.UNKNOWN && !isCancelled;
            known = found;
            isCancelled = false;
            if (!isStreaming() && !isWorthAnotherLook) {
                pause();
            }
        }
        closeConnection();
    }

    private boolean isStreaming() {
        return moreToCome || streamedFrom != null;
    }

    /** One look at the server; what it found has been passed on when this returns. */
    private ServerType check() {
        Connection idle = connection;
        if (idle != null && idle.isClosed()) {
            // Cancelled between two checks: the next one needs a new connection.
            closeConnection();
            isCancelled = false;
        }
        boolean awaited = isStreaming();
        Connection known = connection;
        Connection used = known == null ? new Connection(address, ++connectionsMade, 0, connections) : known;
        connection = used;
        long start = time.nanos();
        emit(new ClusterEvent.HeartbeatStarted(topology.id(), used.id(), awaited));
        try {
            BsonDocument hello = known == null
                    ? used.open(Deadline.NONE, MonitorHello.MONITOR)
                    : awaited
                            ? awaitHello(used)
                            : checked(used.exchange(hello(null), time.after(connections.connectTimeout())));
            Duration elapsed = time.since(start);
            emit(new ClusterEvent.HeartbeatSucceeded(topology.id(), used.id(), awaited, hello, elapsed));
            if (!awaited) {
                roundTrip.add(elapsed);
            }
            var news = ServerDescription.of(address, hello, null, Duration.ofNanos(time.nanos()))
                    .withRoundTripTime(roundTrip.average(), roundTrip.minimum());
            streamedFrom = settings.monitoringMode() == ServerMonitoringMode.POLL ? null : news.topologyVersion();
            if (streamedFrom != null) {
                roundTripMonitor.startOnce();
            }
            topology.heard(news);
            return news.type();
        } catch (RuntimeException e) {
            closeConnection();
            if (!isClosed) {
                failed(e, used, awaited, time.since(start));
            }
            return ServerType.UNKNOWN;
        }
    }

    /** Of whatever kind: a monitor that ended with an unexpected one would never find its server again. */
    private void failed(RuntimeException e, Connection used, boolean awaited, Duration elapsed) {
        MongoException failure = e instanceof MongoException known
                ? known
                : new MongoClientException("The check of " + address + " failed: " + e, e);
        emit(new ClusterEvent.HeartbeatFailed(topology.id(), used.id(), awaited, failure, elapsed));
        roundTrip.reset();
        if (!isCancelled) {
            topology.lost(address, failure);
        }
    }

    private BsonDocument awaitHello(Connection open) {
        Duration limit = connections.connectTimeout();
        Deadline deadline = limit.isZero() ? Deadline.NONE : time.after(limit.plus(settings.heartbeatFrequency()));
        if (!moreToCome) {
            open.encode(hello(streamedFrom), Message.OpMsg.EXHAUST_ALLOWED);
            open.send("hello", deadline);
        }
        Reply reply = open.receive(deadline);
        moreToCome = reply.moreToCome();
        return checked(reply);
    }

    private DocumentCommand hello(@Nullable TopologyVersion after) {
        var command = new BsonDocument("hello", new BsonInt32(1)).append("helloOk", BsonBoolean.TRUE);
        if (after != null) {
            command.append("topologyVersion", after.toDocument())
                    .append(
                            "maxAwaitTimeMS",
                            new BsonInt64(settings.heartbeatFrequency().toMillis()));
        }
        return new DocumentCommand("admin", command, connections.serverApi());
    }

    private BsonDocument checked(Reply reply) {
        BsonDocument document = reply.document();
        if (!reply.isOk()) {
            throw ErrorReply.exception(document, address);
        }
        return document;
    }

    /** Until the next check is due or requested; never less than the minimum heartbeat frequency. */
    private void pause() {
        lock.lock();
        try {
            long start = time.nanos();
            long usual = settings.heartbeatFrequency().toNanos();
            long least = settings.minHeartbeatFrequency().toNanos();
            while (!isClosed) {
                long due = checkIsWanted ? least : usual;
                long remaining = due - (time.nanos() - start);
                if (remaining <= 0) {
                    break;
                }
                woken.awaitNanos(remaining);
            }
            checkIsWanted = false;
        } catch (InterruptedException e) {
            isClosed = true;
        } finally {
            lock.unlock();
        }
    }

    void requestCheck() {
        lock.lock();
        try {
            checkIsWanted = true;
            woken.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Checks the server now, because an operation has found that its state has changed. */
    void recheck() {
        if (isStreaming()) {
            cancelCheck();
        } else {
            requestCheck();
        }
    }

    /** Ends the current check, because the network has failed for an operation. */
    void cancelCheck() {
        Connection open = connection;
        if (open != null) {
            isCancelled = true;
            open.close();
        }
        requestCheck();
    }

    void close() {
        isClosed = true;
        roundTripMonitor.close();
        cancelCheck();
    }

    private void closeConnection() {
        Connection open = connection;
        connection = null;
        moreToCome = false;
        streamedFrom = null;
        if (open != null) {
            open.close();
        }
    }

    private void emit(ClusterEvent event) {
        topology.emit(event);
    }
}
