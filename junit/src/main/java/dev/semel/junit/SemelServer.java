package dev.semel.junit;

import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * An in-memory server in this process, on a free port: a replica set of one member, ready for writes when {@code start}
 * returns. Its methods have the names of Testcontainers' MongoDB container, so it can replace that container.
 */
public final class SemelServer implements AutoCloseable {
    private static final String DEFAULT_DATABASE = "test";

    private final Server server;

    private SemelServer(Server server) {
        this.server = server;
    }

    /** With fail points. */
    public static SemelServer start() {
        return start(Map.of());
    }

    /** With these server parameters. */
    public static SemelServer start(Map<String, String> parameters) {
        try {
            return new SemelServer(Server.start(ServerOptions.memory().parameters(parameters)));
        } catch (IOException e) {
            throw new UncheckedIOException("Semel does not start: " + e.getMessage(), e);
        }
    }

    /** Without a database. */
    public String getConnectionString() {
        return server.connectionString();
    }

    /** With the database {@code test}. */
    public String getReplicaSetUrl() {
        return getReplicaSetUrl(DEFAULT_DATABASE);
    }

    public String getReplicaSetUrl(String database) {
        return server.connectionString().replace("/?", "/" + database + "?");
    }

    /** The server itself. */
    public Server server() {
        return server;
    }

    @Override
    public void close() {
        server.close();
    }
}
