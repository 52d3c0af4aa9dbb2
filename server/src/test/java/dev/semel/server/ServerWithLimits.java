package dev.semel.server;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** For each test a server in memory with parameters of its own, and a client of it. */
final class ServerWithLimits implements BeforeEachCallback, AfterEachCallback {
    private final Map<String, String> parameters;
    private @Nullable Server server;
    private @Nullable LocalConnection connection;

    ServerWithLimits(Map<String, String> parameters) {
        this.parameters = parameters;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        Server started = Server.start(ServerOptions.memory().inProcess().parameters(parameters));
        server = started;
        connection = started.connectAsClient();
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        Objects.requireNonNull(connection).close();
        Objects.requireNonNull(server).close();
    }

    RawDocument run(RawDocument command) {
        return Objects.requireNonNull(connection).run(command);
    }

    RawDocument run(String command) {
        return run(Json.parse(command));
    }
}
