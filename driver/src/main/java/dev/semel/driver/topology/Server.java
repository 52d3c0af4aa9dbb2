package dev.semel.driver.topology;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.pool.Pool;
import dev.semel.driver.pool.PoolEvents;
import dev.semel.driver.setting.ServerAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server of the topology: its connection pool, its monitor, and its number of operations in progress. */
public final class Server implements ServerBinding {
    private final ServerAddress address;
    private final Topology topology;
    private final Pool pool;
    private final @Nullable Monitor monitor;
    private final AtomicInteger operations = new AtomicInteger();

    Server(ServerAddress address, Topology topology, TopologySettings settings) {
        this.address = address;
        this.topology = topology;
        pool = new Pool(
                address,
                settings.pool(),
                settings.connections(),
                new PoolEvents(settings.poolListeners(), settings.log()),
                (connection, failure) -> failed(connection, failure));
        monitor = settings.loadBalanced() ? null : new Monitor(address, topology, settings);
    }

    @Override
    public ServerAddress address() {
        return address;
    }

    Pool pool() {
        return pool;
    }

    void start() {
        if (monitor == null) {
            pool.ready();
        } else {
            monitor.start();
        }
    }

    int operationCount() {
        return operations.get();
    }

    void selected() {
        operations.incrementAndGet();
    }

    /** A connection for an operation that selected this server. */
    @Override
    public Connection checkOut(Deadline deadline) {
        return pool.checkOut(deadline);
    }

    @Override
    public void checkIn(Connection connection) {
        pool.checkIn(connection);
    }

    /** Any other connection leads to the same server, unless a load balancer stands between. */
    @Override
    public ServerBinding by(Connection connection) {
        return monitor == null ? new PinnedConnection(this, connection) : this;
    }

    @Override
    public void keepFor(long cursorId) {
        // Its cursors can be reached by every connection.
    }

    @Override
    public void letGo(long cursorId) {
        // Nothing was kept.
    }

    /** Every selection is ended by this, whatever became of the operation. */
    public void released() {
        operations.decrementAndGet();
    }

    @Override
    public ServerDescription description() {
        ServerDescription description = topology.description().server(address);
        return description == null ? ServerDescription.unknown(address) : description;
    }

    @Override
    public void failed(Connection connection, MongoException failure) {
        topology.failed(this, connection, failure);
    }

    void requestCheck() {
        if (monitor != null) {
            monitor.requestCheck();
        }
    }

    void recheck() {
        if (monitor != null) {
            monitor.recheck();
        }
    }

    void cancelCheck() {
        if (monitor != null) {
            monitor.cancelCheck();
        }
    }

    void close() {
        if (monitor != null) {
            monitor.close();
        }
        pool.close();
    }
}
