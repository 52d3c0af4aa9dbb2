package dev.semel.driver.topology;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.pool.Pool;
import dev.semel.driver.setting.ServerAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection through a load balancer, which may lead the next one to another server: cursors and a transaction keep it for
 * what follows, and it goes back to the pool when none of them needs it any more.
 */
public final class PinnedConnection implements ServerBinding {
    private final Server server;
    private final Connection connection;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Long> cursors = new HashSet<>();
    private boolean isInUse = true;
    private boolean isInTransaction;

    /** In use by the command it was checked out for. */
    PinnedConnection(Server server, Connection connection) {
        this.server = server;
        this.connection = connection;
    }

    @Override
    public ServerAddress address() {
        return server.address();
    }

    @Override
    public ServerDescription description() {
        return server.description();
    }

    @Override
    public Connection checkOut(Deadline deadline) {
        change(() -> isInUse = true);
        return connection;
    }

    @Override
    public void checkIn(Connection used) {
        change(() -> isInUse = false);
    }

    @Override
    public void failed(Connection used, MongoException failure) {
        server.failed(used, failure);
    }

    @Override
    public ServerBinding by(Connection used) {
        return this;
    }

    @Override
    public void keepFor(long cursorId) {
        change(() -> cursors.add(cursorId));
    }

    @Override
    public void letGo(long cursorId) {
        change(() -> cursors.remove(cursorId));
    }

    public void keepForTransaction() {
        change(() -> isInTransaction = true);
    }

    public void transactionEnded() {
        change(() -> isInTransaction = false);
    }

    private void change(Runnable how) {
        boolean isFree;
        lock.lock();
        try {
            boolean wasKept = isKept();
            Pool.@Nullable Purpose before = purpose();
            how.run();
            server.pool().keptFor(before, purpose());
            isFree = wasKept && !isKept();
        } finally {
            lock.unlock();
        }
        if (isFree) {
            server.checkIn(connection);
        }
    }

    private boolean isKept() {
        return isInUse || isInTransaction || !cursors.isEmpty();
    }

    private Pool.@Nullable Purpose purpose() {
        if (isInTransaction) {
            return Pool.Purpose.TRANSACTION;
        }
        return cursors.isEmpty() ? null : Pool.Purpose.CURSOR;
    }
}
