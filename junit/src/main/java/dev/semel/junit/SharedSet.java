package dev.semel.junit;

import dev.semel.cluster.Cluster;
import dev.semel.server.Server;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/**
 * A replica set of several members in this JVM, which the tests of one class share: a test may stop members, and they run
 * again before the next test. Loaded only for tests that ask for it; they need another dependency.
 */
final class SharedSet implements Deployment, AutoCloseable, CloseableResource {
    private static final Namespace NAMESPACE = Namespace.create(SharedSet.class);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

    private final Cluster cluster;
    private final AtomicLong databases = new AtomicLong();

    private SharedSet(Cluster cluster) {
        this.cluster = cluster;
    }

    static SharedSet of(ExtensionContext context, int members) {
        return ofClass(context).getStore(NAMESPACE).getOrComputeIfAbsent(members, SharedSet::start, SharedSet.class);
    }

    /** Of the outermost class; nested ones share the set. */
    private static ExtensionContext ofClass(ExtensionContext context) {
        ExtensionContext found = context;
        for (var each = context;
                each.getTestClass().isPresent();
                each = each.getParent().orElseThrow()) {
            found = each;
        }
        return found;
    }

    private static SharedSet start(int members) {
        if (members < 1) {
            throw new ParameterResolutionException("@SemelTest: a set has one member or more, not " + members);
        }
        try {
            return new SharedSet(Cluster.start(members));
        } catch (NoClassDefFoundError e) {
            throw new ParameterResolutionException(
                    "@SemelTest(members = %d) needs the dependency dev.semel:semel-cluster on the class path"
                            .formatted(members),
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException("The set does not start: " + e.getMessage(), e);
        }
    }

    Cluster cluster() {
        return cluster;
    }

    @Override
    public String connectionString() {
        return cluster.connectionString();
    }

    /** A test before may have stopped members. */
    @Override
    public String newDatabase() {
        primary();
        return "test" + databases.incrementAndGet();
    }

    private Server primary() {
        long end = System.nanoTime() + SOON.toNanos();
        try {
            Server found = null;
            while (found == null) {
                for (int i = 0; i < cluster.size(); i++) {
                    cluster.restart(i);
                }
                // Null if the test's own threads stop it at this moment.
                found = cluster.member(cluster.awaitPrimary(Duration.ofNanos(end - System.nanoTime())));
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("The set has no primary: " + e.getMessage(), e);
        }
    }

    /** A primary that steps down at this moment refuses it. */
    @Override
    public void drop(String database) {
        long end = System.nanoTime() + SOON.toNanos();
        while (!isDropped(database)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("The database " + database + " cannot be dropped");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private boolean isDropped(String database) {
        try (var connection = primary().connect()) {
            BsonWriter command = new BsonWriter().put("dropDatabase", 1).put("$db", database);
            return Value.of(1.0).equals(connection.run(command.finish()).get("ok"));
        }
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }
}
