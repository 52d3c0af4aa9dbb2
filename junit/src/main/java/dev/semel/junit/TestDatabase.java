package dev.semel.junit;

import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.PlanText;
import dev.semel.blackpipe.proxy.Proxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/** The database of one test, its proxy, and the clients of the test. */
final class TestDatabase implements AutoCloseable, CloseableResource {
    private final Deployment deployment;
    private final String name;
    private final @Nullable Proxy proxy;
    private final String uri;
    private final Map<Class<?>, Object> clients = new HashMap<>();
    private final Deque<Runnable> ends = new ArrayDeque<>();

    private TestDatabase(Deployment deployment, String name, @Nullable Proxy proxy, String uri) {
        this.deployment = deployment;
        this.name = name;
        this.proxy = proxy;
        this.uri = uri;
    }

    static TestDatabase on(Deployment deployment, @Nullable Faults faults) {
        String name = deployment.newDatabase();
        if (faults == null) {
            return new TestDatabase(deployment, name, null, deployment.connectionString(name));
        }
        if (!(deployment instanceof SharedServer)) {
            throw new ParameterResolutionException(
                    "@Faults puts a proxy before one server: it cannot be used with @SemelTest(members = ...)");
        }
        try {
            Plan plan = Plan.of(PlanText.parse(faults.value(), "@Faults"));
            Proxy proxy = Proxy.start(deployment.connectionString(), plan);
            return new TestDatabase(
                    deployment, name, proxy, proxy.clientUri().database(name).toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The database of an audited run, which the audit itself makes and drops. */
    static TestDatabase audited(SharedServer shared, String uri) {
        return new TestDatabase(shared, databaseOf(uri), null, uri);
    }

    private static String databaseOf(String uri) {
        int slash = uri.indexOf('/', uri.indexOf("://") + 3);
        int end = uri.indexOf('?', slash);
        return uri.substring(slash + 1, end < 0 ? uri.length() : end);
    }

    String name() {
        return name;
    }

    String uri() {
        return uri;
    }

    @Nullable
    Proxy proxy() {
        return proxy;
    }

    /** The test's only client of this type; created on first use and closed when the test ends. */
    <T> T client(Class<T> type, Function<String, T> create, Consumer<T> close) {
        Object known = clients.get(type);
        if (known != null) {
            return type.cast(known);
        }
        T client = create.apply(uri);
        clients.put(type, client);
        ends.push(() -> close.accept(client));
        return client;
    }

    void closeClients() {
        while (!ends.isEmpty()) {
            ends.pop().run();
        }
        clients.clear();
    }

    @Override
    public void close() throws IOException {
        closeClients();
        if (proxy != null) {
            proxy.close();
        }
        deployment.drop(name);
    }
}
