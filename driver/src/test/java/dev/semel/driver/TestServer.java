package dev.semel.driver;

import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.Document;

/** A server in this process, clients of it, and its fail points. */
public final class TestServer implements AutoCloseable {
    private final Server server;
    private final MongoClient admin;

    private TestServer(Server server) {
        this.server = server;
        admin = connect("", settings -> {});
    }

    public static TestServer start() throws IOException {
        return new TestServer(Server.start(ServerOptions.memory()));
    }

    public ServerAddress address() {
        return new ServerAddress(server.address());
    }

    public String uri() {
        return server.connectionString();
    }

    public MongoClient admin() {
        return admin;
    }

    /** Options as they stand in a connection string, each with its ampersand. */
    public MongoClient connect(String options, Consumer<MongoClientSettings.Builder> more) {
        // A server that was taken for gone is looked at again soon, so that tests do not wait.
        var builder = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri() + options))
                .applyToServerSettings(servers -> servers.heartbeatFrequency(Duration.ofMillis(500))
                        .minHeartbeatFrequency(Duration.ofMillis(50)));
        more.accept(builder);
        return MongoClients.create(builder.build());
    }

    /** With a list that gets every command that is started. */
    public MongoClient listening(String options, List<CommandStartedEvent> to) {
        return connect(options, settings -> settings.addCommandListener(recorder(to)));
    }

    public static CommandListener recorder(List<CommandStartedEvent> to) {
        return new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                to.add(event);
            }
        };
    }

    public void failCommand(String mode, String data) {
        admin.getDatabase("admin")
                .runCommand(new Document("configureFailPoint", "failCommand")
                        .append("mode", mode.startsWith("{") ? BsonDocument.parse(mode) : mode)
                        .append("data", BsonDocument.parse(data)));
    }

    public void clearFailPoint() {
        failCommand("off", "{}");
    }

    @Override
    public void close() {
        admin.close();
        server.close();
    }
}
