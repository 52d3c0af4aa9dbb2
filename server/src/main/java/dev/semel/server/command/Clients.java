package dev.semel.server.command;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Everybody who is connected now, and through them every operation that runs. */
public final class Clients {
    private final Map<Long, Client> byId = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final List<Consumer<Client>> leaving = new CopyOnWriteArrayList<>();
    private final Supplier<Duration> lockTimeout;

    /** @param lockTimeout the lock timeout of connections that are opened from now on */
    public Clients(Supplier<Duration> lockTimeout) {
        this.lockTimeout = lockTimeout;
    }

    /** Called when a connection has ended, by the parts that keep something for it. */
    public void onLeft(Consumer<Client> listener) {
        leaving.add(listener);
    }

    /** A new connection, until {@link #left}. */
    public Client join(String remote, Client.Origin origin) {
        Client client = new Client(ids.incrementAndGet(), remote, origin, lockTimeout.get());
        byId.put(client.connectionId(), client);
        return client;
    }

    public void left(Client client) {
        byId.remove(client.connectionId());
        leaving.forEach(each -> each.accept(client));
    }

    public Collection<Client> all() {
        return List.copyOf(byId.values());
    }

    public int count() {
        return byId.size();
    }

    public List<Call> running() {
        return byId.values().stream()
                .map(Client::current)
                .filter(Objects::nonNull)
                .toList();
    }

    /** The operation of this number, if it still runs. */
    public @Nullable Call running(long operationId) {
        for (Client each : byId.values()) {
            Call call = each.current();
            if (call != null && call.operationId() == operationId) {
                return call;
            }
        }
        return null;
    }
}
