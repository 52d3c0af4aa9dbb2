package dev.semel.junit;

import dev.semel.wire.bson.BsonWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/**
 * The server that all tests of a JVM share, and the names of their databases. Also a {@code CloseableResource},
 * because JUnit before 5.13 closes nothing else.
 */
final class SharedServer implements Deployment, AutoCloseable, CloseableResource {
    private static final Namespace NAMESPACE = Namespace.create(SharedServer.class);

    private final SemelServer server = SemelServer.start();
    private final AtomicLong databases = new AtomicLong();

    /** What audited operations work on, by the thread that runs them. */
    private final Map<Thread, TestDatabase> audited = new ConcurrentHashMap<>();

    static SharedServer of(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(SharedServer.class, type -> new SharedServer(), SharedServer.class);
    }

    SemelServer server() {
        return server;
    }

    /** The database of the audited operation that runs on this thread; null if none does. */
    @Nullable
    TestDatabase audited() {
        return audited.get(Thread.currentThread());
    }

    /** Runs this with the database of the connection string, and closes its clients afterwards. */
    <T extends @Nullable Object> T audited(String uri, Callable<T> work) throws Exception {
        TestDatabase database = TestDatabase.audited(this, uri);
        audited.put(Thread.currentThread(), database);
        try {
            return work.call();
        } finally {
            audited.remove(Thread.currentThread());
            database.closeClients();
        }
    }

    @Override
    public String connectionString() {
        return server.getConnectionString();
    }

    @Override
    public String newDatabase() {
        return "test" + databases.incrementAndGet();
    }

    @Override
    public void drop(String database) {
        try (var connection = server.server().connect()) {
            connection.run(
                    new BsonWriter().put("dropDatabase", 1).put("$db", database).finish());
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
