package dev.semel.conformance.subject;

import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.wire.bson.RawDocument;

/** A server by itself. */
final class OneServer implements Deployment {
    private final Server server;
    private final LocalConnection connection;

    OneServer(Server server) {
        this.server = server;
        this.connection = server.connect();
    }

    @Override
    public String connectionString() {
        return server.connectionString();
    }

    @Override
    public RawDocument run(RawDocument command) {
        return connection.run(command);
    }

    @Override
    public void close() {
        connection.close();
        server.close();
    }
}
