package dev.semel.driver.topology;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.ServerSelector;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.description.TopologyVersion;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoIncompatibleDriverException;
import dev.semel.driver.error.MongoInterruptedException;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoPoolClosedException;
import dev.semel.driver.error.MongoSocketReadTimeoutException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.event.ClusterListener;
import dev.semel.driver.logging.Listeners;
import dev.semel.driver.logging.SelectionLog;
import dev.semel.driver.logging.TopologyLog;
import dev.semel.driver.setting.ServerAddress;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * The current description of all servers. Monitors and failed operations report changes, {@link TopologyMachine} computes
 * the next description, and operations wait here for a suitable server. One lock guards changes and the order of events;
 * the description is read without it.
 */
public final class Topology implements AutoCloseable {
    private final String id = new ObjectId().toHexString();
    private final TopologySettings settings;
    private final Listeners<ClusterListener> listeners;
    private final TopologyLog log;
    private final SelectionLog selectionLog;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<ServerAddress, Server> servers = new HashMap<>();
    private volatile TopologyDescription description = TopologyDescription.EMPTY;
    private volatile boolean isClosed;

    public Topology(TopologySettings settings) {
        this.settings = settings;
        listeners = new Listeners<>(settings.clusterListeners());
        log = new TopologyLog(settings.log());
        selectionLog = new SelectionLog(settings.log());
    }

    String id() {
        return id;
    }

    /** Begins to watch the servers. */
    public void start() {
        lock.lock();
        try {
            emit(new ClusterEvent.TopologyOpening(id));
            TopologyDescription before = description;
            var first = TopologyMachine.initial(
                    settings.seeds(), settings.setName(), settings.directConnection(), settings.loadBalanced());
            description = first;
            emit(new ClusterEvent.TopologyDescriptionChanged(id, before, first));
            followMembers(first);
            if (settings.loadBalanced()) {
                settings.seeds().forEach(each -> take(ServerDescription.loadBalancer(each)));
            }
        } finally {
            lock.unlock();
        }
    }

    public TopologyDescription description() {
        return description;
    }

    /**
     * A server that suits, waited for until the deadline or the server selection timeout, whichever is earlier. The caller
     * ends its use with {@link Server#released}.
     */
    public Server select(
            ServerSelection.Criterion criterion,
            Collection<ServerAddress> avoided,
            Deadline operation,
            String commandName,
            long operationId) {
        if (!selectionLog.isOn(Level.INFO)) {
            return select(criterion, avoided, operation, null);
        }
        var logged = new SelectionLogging(selectionLog, criterion, commandName, operationId, this::description);
        logged.started();
        try {
            Server server = select(criterion, avoided, operation, logged);
            logged.succeeded(server.address());
            return server;
        } catch (MongoException e) {
            logged.failed(e);
            throw e;
        }
    }

    private Server select(
            ServerSelection.Criterion criterion,
            Collection<ServerAddress> avoided,
            Deadline operation,
            @Nullable SelectionLogging logged) {
        Server server = trySelect(description, criterion, avoided);
        return server == null ? waitFor(criterion, avoided, operation, logged) : server;
    }

    private @Nullable Server trySelect(
            TopologyDescription now, ServerSelection.Criterion criterion, Collection<ServerAddress> avoided) {
        String incompatibility = now.incompatibility();
        if (incompatibility != null) {
            throw new MongoIncompatibleDriverException(incompatibility);
        }
        List<ServerDescription> suitable =
                ServerSelection.suitable(now, criterion, avoided, settings.heartbeatFrequency());
        ServerSelector selector = settings.serverSelector();
        if (selector != null) {
            suitable = ServerSelection.selected(now, suitable, selector);
        }
        if (suitable.isEmpty()) {
            return null;
        }
        var inWindow = ServerSelection.inLatencyWindow(suitable, settings.localThreshold());
        lock.lock();
        try {
            var chosen = ServerSelection.lessBusy(inWindow, this::operationCount, settings.random());
            Server server = servers.get(chosen.address());
            if (server != null) {
                server.selected();
            }
            return server;
        } finally {
            lock.unlock();
        }
    }

    private int operationCount(ServerAddress address) {
        Server server = servers.get(address);
        return server == null ? 0 : server.operationCount();
    }

    private Server waitFor(
            ServerSelection.Criterion criterion,
            Collection<ServerAddress> avoided,
            Deadline operation,
            @Nullable SelectionLogging logged) {
        Deadline deadline = operation.orEarlier(settings.connections().time().in(settings.serverSelectionTimeout()));
        lock.lock();
        try {
            while (true) {
                if (isClosed) {
                    throw new MongoPoolClosedException("The client is closed");
                }
                Server server = trySelect(description, criterion, avoided);
                if (server != null) {
                    return server;
                }
                if (deadline.hasPassed()) {
                    String text = "Timed out while waiting for a server that matches " + criterion
                            + ". Client view of cluster state is " + description;
                    throw operation.hasPassed()
                            ? new MongoOperationTimeoutException(text)
                            : new MongoTimeoutException(text);
                }
                if (logged != null) {
                    logged.waiting(deadline);
                }
                servers.values().forEach(Server::requestCheck);
                changed.awaitNanos(Math.max(1, deadline.remainingNanos()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MongoInterruptedException("Interrupted while waiting for a server", e);
        } finally {
            lock.unlock();
        }
    }

    /** How long a selection and what follows until there is a connection may take, where there is a limit for the whole. */
    public Deadline selectionDeadline(Deadline operation) {
        return operation.isGiven()
                ? operation.orEarlier(settings.connections().time().in(settings.serverSelectionTimeout()))
                : operation;
    }

    /** A monitor has an answer. False when the server is no longer part of this. */
    boolean heard(ServerDescription news) {
        lock.lock();
        try {
            Server server = servers.get(news.address());
            if (isClosed || server == null) {
                return false;
            }
            if (news.type().isDataBearing()
                    || (news.type() != ServerType.UNKNOWN && Boolean.TRUE.equals(settings.directConnection()))) {
                // Before it can be selected: operations must not find the pool paused.
                server.pool().ready();
            }
            take(news);
            return servers.containsKey(news.address());
        } finally {
            lock.unlock();
        }
    }

    /** A monitor could not reach its server. */
    void lost(ServerAddress address, MongoException failure) {
        lock.lock();
        try {
            Server server = servers.get(address);
            if (isClosed || server == null) {
                return;
            }
            BsonDocument reply = FailureVerdict.reply(failure);
            take(ServerDescription.unknown(address, failure, reply == null ? null : TopologyVersion.of(reply)));
            server.pool().clear(failure, failure instanceof MongoSocketReadTimeoutException);
        } finally {
            lock.unlock();
        }
    }

    /** The routers have become others. */
    public void seeds(List<ServerAddress> now) {
        lock.lock();
        try {
            TopologyDescription before = description;
            if (!isClosed && !before.byAddress().keySet().equals(Set.copyOf(now))) {
                description = TopologyMachine.withSeeds(before, now);
                announce(before, description);
            }
        } finally {
            lock.unlock();
        }
    }

    /** An operation failed. */
    void failed(Server server, Connection connection, MongoException failure) {
        lock.lock();
        try {
            ServerDescription known = description.server(server.address());
            if (isClosed || known == null || server.pool().isStale(connection)) {
                return;
            }
            FailureVerdict verdict = FailureVerdict.of(known, failure, connection.phase());
            if (verdict.marksUnknown() && !settings.loadBalanced()) {
                BsonDocument reply = FailureVerdict.reply(failure);
                take(ServerDescription.unknown(
                        server.address(), failure, reply == null ? null : TopologyVersion.of(reply)));
            }
            if (verdict.clearsPool() && settings.loadBalanced()) {
                server.pool().clearService(connection.description().serviceId(), failure);
            } else if (verdict.clearsPool()) {
                server.pool().clear(failure, false);
            }
            if (verdict.asksForCheck()) {
                server.recheck();
            }
            if (verdict.cancelsCheck()) {
                server.cancelCheck();
            }
        } finally {
            lock.unlock();
        }
    }

    private void take(ServerDescription news) {
        TopologyDescription before = description;
        TopologyDescription next = TopologyMachine.apply(before, news);
        if (next == before) {
            return;
        }
        description = next;
        ServerDescription previous = before.server(news.address());
        ServerDescription current = next.server(news.address());
        if (previous != null && !news.saysSameAs(previous)) {
            emit(new ClusterEvent.ServerDescriptionChanged(
                    id, news.address(), previous, current == null ? news : current));
        }
        announce(before, next);
    }

    private void announce(TopologyDescription before, TopologyDescription next) {
        followMembers(next);
        if (!next.saysSameAs(before)) {
            emit(new ClusterEvent.TopologyDescriptionChanged(id, before, next));
        }
        changed.signalAll();
    }

    private void followMembers(TopologyDescription now) {
        var gone = new ArrayList<>(servers.keySet());
        gone.removeAll(now.byAddress().keySet());
        for (ServerAddress each : gone) {
            Server server = servers.remove(each);
            if (server != null) {
                server.close();
                emit(new ClusterEvent.ServerClosed(id, each));
            }
        }
        for (ServerAddress each : now.byAddress().keySet()) {
            if (!servers.containsKey(each)) {
                emit(new ClusterEvent.ServerOpening(id, each));
                var server = new Server(each, this, settings);
                servers.put(each, server);
                server.start();
            }
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            for (Server each : servers.values()) {
                each.close();
                emit(new ClusterEvent.ServerClosed(id, each.address()));
            }
            servers.clear();
            TopologyDescription before = description;
            description = TopologyDescription.EMPTY;
            emit(new ClusterEvent.TopologyDescriptionChanged(id, before, TopologyDescription.EMPTY));
            emit(new ClusterEvent.TopologyClosed(id));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void emit(ClusterEvent event) {
        listeners.tell(each -> each.on(event));
        if (log.isOn()) {
            log.on(event);
        }
    }
}
