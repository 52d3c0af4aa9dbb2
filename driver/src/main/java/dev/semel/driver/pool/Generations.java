package dev.semel.driver.pool;

import dev.semel.driver.connection.Connection;
import java.util.HashMap;
import java.util.Map;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Which connections are too old to be used: those made before the server last failed or, behind a load balancer, the service
 * they lead to. Guarded by the pool's lock.
 */
final class Generations {
    private static final class Service {
        private int number;
        private int connections;
    }

    private final Map<ObjectId, Service> services = new HashMap<>();
    private int number;

    int current() {
        return number;
    }

    void next() {
        number++;
    }

    void next(ObjectId service) {
        Service known = services.get(service);
        if (known != null) {
            known.number++;
        }
    }

    boolean isStale(Connection connection) {
        ObjectId id = connection.description().serviceId();
        if (id == null) {
            return connection.generation() != number;
        }
        Service service = services.get(id);
        return service == null || service.number != connection.generation();
    }

    /** The connection has found out where it leads. */
    void join(Connection connection) {
        ObjectId id = connection.description().serviceId();
        if (id != null) {
            Service service = services.computeIfAbsent(id, each -> new Service());
            service.connections++;
            connection.joinGeneration(service.number);
        }
    }

    /** The connection is closed; services that no connection leads to are forgotten. */
    void leave(Connection connection) {
        ObjectId id = connection.description().serviceId();
        @Nullable Service service = id == null ? null : services.get(id);
        if (service != null && --service.connections == 0) {
            services.remove(id);
        }
    }
}
