package dev.semel.driver.event;

import dev.semel.driver.description.ConnectionId;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.setting.PoolSettings;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** An event of a connection pool. */
public sealed interface ConnectionPoolEvent {
    ServerAddress address();

    record PoolCreated(ServerAddress address, PoolSettings settings) implements ConnectionPoolEvent {}

    record PoolReady(ServerAddress address) implements ConnectionPoolEvent {}

    record PoolCleared(
            ServerAddress address,
            boolean interruptInUseConnections,
            @Nullable ObjectId serviceId,
            @Nullable MongoException error)
            implements ConnectionPoolEvent {}

    record PoolClosed(ServerAddress address) implements ConnectionPoolEvent {}

    record ConnectionCreated(ConnectionId id) implements ConnectionPoolEvent {
        @Override
        public ServerAddress address() {
            return id.server();
        }
    }

    record ConnectionReady(ConnectionId id, Duration elapsed) implements ConnectionPoolEvent {
        @Override
        public ServerAddress address() {
            return id.server();
        }
    }

    record ConnectionClosed(
            ConnectionId id, CloseReason reason, @Nullable MongoException error) implements ConnectionPoolEvent {
        @Override
        public ServerAddress address() {
            return id.server();
        }
    }

    record CheckOutStarted(ServerAddress address) implements ConnectionPoolEvent {}

    record CheckOutFailed(
            ServerAddress address,
            FailReason reason,
            Duration elapsed,
            @Nullable MongoException error) implements ConnectionPoolEvent {}

    record CheckedOut(ConnectionId id, Duration elapsed) implements ConnectionPoolEvent {
        @Override
        public ServerAddress address() {
            return id.server();
        }
    }

    record CheckedIn(ConnectionId id) implements ConnectionPoolEvent {
        @Override
        public ServerAddress address() {
            return id.server();
        }
    }

    /** Why a connection was closed. */
    enum CloseReason {
        STALE("stale"),
        IDLE("idle"),
        ERROR("error"),
        POOL_CLOSED("poolClosed");

        private final String label;

        CloseReason(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /** Why a check-out failed. */
    enum FailReason {
        POOL_CLOSED("poolClosed"),
        TIMEOUT("timeout"),
        CONNECTION_ERROR("connectionError");

        private final String label;

        FailReason(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }
}
