package dev.semel.driver.pool;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.connection.ConnectionSettings;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.Time;
import dev.semel.driver.error.MongoConnectionPoolClearedException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoInterruptedException;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoPoolClosedException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.error.MongoWaitQueueTimeoutException;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.event.ConnectionPoolEvent.CloseReason;
import dev.semel.driver.event.ConnectionPoolEvent.FailReason;
import dev.semel.driver.setting.PoolSettings;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server. It begins paused, is made ready when its monitor reaches the server, and is cleared when the
 * server fails: then it hands out nothing until it is made ready again. Waiting threads are served in order of arrival,
 * with a connection that was returned or with permission to open a new one.
 *
 * <p>Everything below is guarded by {@code lock}; listeners are called with it held where the order of events matters, so
 * they must not block.
 */
public final class Pool implements AutoCloseable {
    private enum State {
        PAUSED,
        READY,
        CLOSED
    }

    /** What connections through a load balancer are kept for between two commands. */
    public enum Purpose {
        CURSOR,
        TRANSACTION
    }

    /** Called for a connection that could not be opened, before the operation that wanted it fails. */
    public interface Failures {
        void connectionFailed(Connection connection, MongoException failure);
    }

    private final ServerAddress address;
    private final PoolSettings settings;
    private final ConnectionSettings connections;
    private final Time time;
    private final PoolEvents events;
    private final Failures failures;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition maintenance = lock.newCondition();
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private final Deque<Connection> available = new ArrayDeque<>();
    private final Set<Connection> others = new HashSet<>();
    private State state = State.PAUSED;
    private @Nullable MongoException pausedBecause;
    private boolean maintenanceIsDue;
    private final Generations generations = new Generations();
    private final Map<Purpose, Integer> kept = new EnumMap<>(Purpose.class);
    private int lastId;
    private int total;
    private int opening;

    /** A waiting operation; done when it has a connection, permission to open one, or an error. */
    private final class Waiter {
        private final Condition served = lock.newCondition();
        private @Nullable Connection connection;
        private boolean mayOpen;
        private @Nullable MongoException error;

        boolean isServed() {
            return connection != null || mayOpen || error != null;
        }
    }

    public Pool(
            ServerAddress address,
            PoolSettings settings,
            ConnectionSettings connections,
            PoolEvents events,
            Failures failures) {
        this.address = address;
        this.settings = settings;
        this.connections = connections;
        time = connections.time();
        this.events = events;
        this.failures = failures;
        emit(new ConnectionPoolEvent.PoolCreated(address, settings));
        if (!settings.maintenanceFrequency().isNegative()) {
            Thread.ofVirtual().name("semel-pool-" + address).start(this::maintain);
        }
    }

    /** An open connection; {@link #checkIn} gives it back. */
    public Connection checkOut(Deadline operation) {
        long start = time.nanos();
        Deadline deadline = operation.isGiven() ? operation : time.after(settings.waitQueueTimeout());
        if (events.isPresent()) {
            emit(new ConnectionPoolEvent.CheckOutStarted(address));
        }
        Connection connection;
        try {
            connection = take(deadline, operation.isSet());
            if (connection == null) {
                connection = open(operation, false);
            }
        } catch (MongoException e) {
            emit(new ConnectionPoolEvent.CheckOutFailed(address, reason(e), time.since(start), e));
            throw e;
        }
        if (events.isPresent()) {
            emit(new ConnectionPoolEvent.CheckedOut(connection.id(), time.since(start)));
        }
        return connection;
    }

    private static FailReason reason(MongoException e) {
        return switch (e) {
            case MongoPoolClosedException closed -> FailReason.POOL_CLOSED;
            case MongoTimeoutException timeout -> FailReason.TIMEOUT;
            default -> FailReason.CONNECTION_ERROR;
        };
    }

    /** A connection from the pool, or null with leave to open one. */
    private @Nullable Connection take(Deadline deadline, boolean isOfOperation) {
        lock.lock();
        try {
            checkReady();
            if (waiters.isEmpty()) {
                Connection connection = takeAvailable();
                if (connection != null) {
                    return connection;
                }
                if (takeLeaveToOpen()) {
                    return null;
                }
            }
            var waiter = new Waiter();
            waiters.addLast(waiter);
            await(waiter, deadline, isOfOperation);
            if (waiter.error != null) {
                throw waiter.error;
            }
            return waiter.connection;
        } finally {
            lock.unlock();
        }
    }

    private void checkReady() {
        if (state == State.CLOSED) {
            throw closedError();
        }
        if (state == State.PAUSED) {
            throw new MongoConnectionPoolClearedException(address, pausedBecause);
        }
    }

    private static MongoPoolClosedException closedError() {
        return new MongoPoolClosedException("Attempted to check out a connection from closed connection pool");
    }

    private void await(Waiter waiter, Deadline deadline, boolean isOfOperation) {
        try {
            while (!waiter.isServed()) {
                if (!deadline.isSet()) {
                    waiter.served.await();
                } else if (waiter.served.awaitNanos(deadline.remainingNanos()) <= 0 && !waiter.isServed()) {
                    waiters.remove(waiter);
                    String text = "Timed out while checking out a connection from connection pool " + address + ": "
                            + total + " connections, " + opening + " being opened, " + waiters.size() + " others wait"
                            + (connections.loadBalanced() ? purposes() : "");
                    throw isOfOperation
                            ? new MongoOperationTimeoutException(text)
                            : new MongoWaitQueueTimeoutException(text);
                }
            }
        } catch (InterruptedException e) {
            waiters.remove(waiter);
            handBack(waiter);
            Thread.currentThread().interrupt();
            throw new MongoInterruptedException("Interrupted while waiting for a connection to " + address, e);
        }
    }

    private String purposes() {
        int cursors = kept.getOrDefault(Purpose.CURSOR, 0);
        int transactions = kept.getOrDefault(Purpose.TRANSACTION, 0);
        return "; maxPoolSize: " + settings.maxSize() + ", connections in use by cursors: " + cursors
                + ", connections in use by transactions: " + transactions
                + ", connections in use by other operations: " + (others.size() - opening - cursors - transactions);
    }

    /** A connection that is in use is now kept for something else. */
    public void keptFor(@Nullable Purpose before, @Nullable Purpose now) {
        if (before == now) {
            return;
        }
        lock.lock();
        try {
            if (before != null) {
                kept.merge(before, -1, Integer::sum);
            }
            if (now != null) {
                kept.merge(now, 1, Integer::sum);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Served and interrupted at the same moment: what it was given goes to the next. */
    private void handBack(Waiter waiter) {
        if (waiter.connection != null) {
            others.remove(waiter.connection);
            available.addFirst(waiter.connection);
        }
        if (waiter.mayOpen) {
            total--;
            opening--;
        }
        serveWaiters();
    }

    private @Nullable Connection takeAvailable() {
        while (!available.isEmpty()) {
            Connection connection = available.removeFirst();
            CloseReason reason = perished(connection);
            if (reason == null) {
                others.add(connection);
                return connection;
            }
            discard(connection, reason);
        }
        return null;
    }

    private boolean takeLeaveToOpen() {
        if ((settings.maxSize() > 0 && total >= settings.maxSize()) || opening >= settings.maxConnecting()) {
            return false;
        }
        total++;
        opening++;
        return true;
    }

    private @Nullable CloseReason perished(Connection connection) {
        if (generations.isStale(connection)) {
            return CloseReason.STALE;
        }
        if (connection.isClosed()) {
            return CloseReason.ERROR;
        }
        long now = time.nanos();
        Duration idle = settings.maxIdleTime();
        Duration life = settings.maxLifeTime();
        boolean isOld = (idle != null && now - connection.lastUsedNanos() > idle.toNanos())
                || (life != null && now - connection.createdNanos() > life.toNanos());
        return isOld ? CloseReason.IDLE : null;
    }

    private void discard(Connection connection, CloseReason reason) {
        discard(connection, reason, null);
    }

    private void discard(Connection connection, CloseReason reason, @Nullable MongoException because) {
        total--;
        generations.leave(connection);
        connection.close();
        emit(new ConnectionPoolEvent.ConnectionClosed(connection.id(), reason, because));
    }

    private void serveWaiters() {
        while (state == State.READY && !waiters.isEmpty()) {
            Waiter first = waiters.getFirst();
            first.connection = takeAvailable();
            if (first.connection == null) {
                first.mayOpen = takeLeaveToOpen();
            }
            if (!first.isServed()) {
                return;
            }
            waiters.removeFirst();
            first.served.signal();
        }
    }

    /** With permission to do so; for the operation that asked, or for the first that comes. */
    private Connection open(Deadline deadline, boolean isForLater) {
        Connection connection;
        lock.lock();
        try {
            connection = new Connection(address, ++lastId, generations.current(), connections);
            others.add(connection);
        } finally {
            lock.unlock();
        }
        emit(new ConnectionPoolEvent.ConnectionCreated(connection.id()));
        long start = time.nanos();
        try {
            connection.open(deadline, null, () -> helloDone(connection));
        } catch (MongoException e) {
            failures.connectionFailed(connection, e);
            forget(connection, e);
            throw e;
        } catch (RuntimeException | Error e) {
            forget(connection, null);
            throw e;
        }
        emit(new ConnectionPoolEvent.ConnectionReady(connection.id(), time.since(start)));
        lock.lock();
        try {
            opening--;
            if (isForLater) {
                giveBack(connection);
            } else {
                serveWaiters();
            }
            maintenanceIsDue = maintenanceIsDue || total < settings.minSize();
            maintenance.signal();
        } finally {
            lock.unlock();
        }
        return connection;
    }

    private void helloDone(Connection connection) {
        lock.lock();
        try {
            generations.join(connection);
        } finally {
            lock.unlock();
        }
    }

    private void forget(Connection connection, @Nullable MongoException because) {
        lock.lock();
        try {
            opening--;
            others.remove(connection);
            discard(connection, CloseReason.ERROR, because);
            serveWaiters();
        } finally {
            lock.unlock();
        }
    }

    public void checkIn(Connection connection) {
        if (events.isPresent()) {
            emit(new ConnectionPoolEvent.CheckedIn(connection.id()));
        }
        giveBack(connection);
    }

    private void giveBack(Connection connection) {
        lock.lock();
        try {
            others.remove(connection);
            CloseReason reason = state == State.CLOSED ? CloseReason.POOL_CLOSED : perished(connection);
            if (reason == null || reason == CloseReason.IDLE) {
                available.addFirst(connection);
            } else {
                discard(connection, reason);
            }
            serveWaiters();
        } finally {
            lock.unlock();
        }
    }

    /** The server answers: connections may be handed out. */
    public void ready() {
        lock.lock();
        try {
            if (state == State.PAUSED) {
                state = State.READY;
                pausedBecause = null;
                emit(new ConnectionPoolEvent.PoolReady(address));
                maintenanceIsDue = true;
                maintenance.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The server has failed: no connection made so far is used again, and none is handed out until {@link #ready}. */
    public void clear(@Nullable MongoException because, boolean interruptInUse) {
        lock.lock();
        try {
            if (state == State.CLOSED) {
                return;
            }
            generations.next();
            if (state == State.READY) {
                state = State.PAUSED;
                pausedBecause = because;
                emit(new ConnectionPoolEvent.PoolCleared(address, interruptInUse, null, because));
                refuseWaiters(because);
            }
            if (interruptInUse) {
                others.stream().filter(generations::isStale).forEach(Connection::close);
            }
            maintenanceIsDue = true;
            maintenance.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * One of the servers behind a load balancer has failed: connections that lead to it are not used again, all others are.
     * Nothing happens where it is not known which.
     */
    public void clearService(@Nullable ObjectId service, MongoException because) {
        lock.lock();
        try {
            if (service == null || state != State.READY) {
                return;
            }
            generations.next(service);
            emit(new ConnectionPoolEvent.PoolCleared(address, false, service, because));
            maintenanceIsDue = true;
            maintenance.signal();
        } finally {
            lock.unlock();
        }
    }

    private void refuseWaiters(@Nullable MongoException because) {
        for (Waiter each : waiters) {
            each.error =
                    state == State.CLOSED ? closedError() : new MongoConnectionPoolClearedException(address, because);
            each.served.signal();
        }
        waiters.clear();
    }

    /** Whether the server has failed since this was made. */
    public boolean isStale(Connection connection) {
        lock.lock();
        try {
            return generations.isStale(connection);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (state == State.CLOSED) {
                return;
            }
            state = State.CLOSED;
            refuseWaiters(null);
            available.forEach(each -> discard(each, CloseReason.POOL_CLOSED));
            available.clear();
            emit(new ConnectionPoolEvent.PoolClosed(address));
            maintenance.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Runs on its own thread: removes what has perished and keeps the least number of connections open. */
    private void maintain() {
        while (awaitMaintenance()) {
            boolean mayOpen = true;
            while (mayOpen) {
                mayOpen = leaveToFillUp();
                if (mayOpen) {
                    try {
                        open(Deadline.NONE, true);
                    } catch (RuntimeException e) {
                        // The server's monitor has been notified; the pool is paused, or maintenance runs again.
                        mayOpen = false;
                    }
                }
            }
        }
    }

    private boolean awaitMaintenance() {
        lock.lock();
        try {
            long remaining = settings.maintenanceFrequency().toNanos();
            while (!maintenanceIsDue && state != State.CLOSED && remaining > 0) {
                remaining = maintenance.awaitNanos(remaining);
            }
            maintenanceIsDue = false;
            if (state == State.CLOSED) {
                return false;
            }
            available.removeIf(each -> {
                CloseReason reason = perished(each);
                if (reason != null) {
                    discard(each, reason);
                }
                return reason != null;
            });
            serveWaiters();
            return true;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean leaveToFillUp() {
        lock.lock();
        try {
            return state == State.READY && total < settings.minSize() && takeLeaveToOpen();
        } finally {
            lock.unlock();
        }
    }

    private void emit(ConnectionPoolEvent event) {
        events.tell(event);
    }
}
