package dev.semel.driver.observation;

import dev.semel.driver.event.CommandFailedEvent;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.event.CommandSucceededEvent;
import dev.semel.driver.setting.ServerAddress;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonDocument;

/**
 * An observation for each command, {@code mongodb.command}, with the names that OpenTelemetry gives to calls of databases. Its
 * parent is the observation that is current where the operation was called. Commands themselves are not part of it, because they
 * hold the application's data.
 */
public final class MicrometerCommandListener implements CommandListener {
    private static final String NAME = "mongodb.command";

    private final ObservationRegistry registry;

    /** Of the commands under way; every one that began ends, with an answer or without. */
    private final Map<Integer, Observation> underWay = new ConcurrentHashMap<>();

    public MicrometerCommandListener(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        ServerAddress server = event.connection().id().server();
        String collection = collection(event.commandName(), event.command());
        String target = collection.isEmpty() ? event.databaseName() : event.databaseName() + "." + collection;
        Long serverConnection = event.connection().id().serverValue();
        Observation observation = Observation.createNotStarted(NAME, registry)
                .contextualName(event.commandName() + " " + target)
                .lowCardinalityKeyValue("db.system.name", "mongodb")
                .lowCardinalityKeyValue("db.namespace", event.databaseName())
                .lowCardinalityKeyValue("db.collection.name", collection)
                .lowCardinalityKeyValue("db.command.name", event.commandName())
                .lowCardinalityKeyValue("network.transport", "tcp")
                .lowCardinalityKeyValue("server.address", server.host())
                .lowCardinalityKeyValue("server.port", String.valueOf(server.port()))
                .lowCardinalityKeyValue("db.response.status_code", "")
                .highCardinalityKeyValue(
                        "db.mongodb.driver_connection_id",
                        String.valueOf(event.connection().id().localValue()))
                .highCardinalityKeyValue(
                        "db.mongodb.server_connection_id",
                        serverConnection == null ? "" : String.valueOf(serverConnection));
        underWay.put(event.requestId(), observation.start());
    }

    /** Most commands name it behind their own name, {@code getMore} elsewhere; commands about other things have none. */
    private static String collection(String name, BsonDocument command) {
        String field = name.equals("getMore") ? "collection" : name;
        return command.isString(field) ? command.getString(field).getValue() : "";
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        Observation observation = underWay.remove(event.requestId());
        if (observation != null) {
            observation.stop();
        }
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
        Observation observation = underWay.remove(event.requestId());
        if (observation != null) {
            observation
                    .lowCardinalityKeyValue(
                            "db.response.status_code",
                            String.valueOf(event.failure().getCode()))
                    .error(event.failure())
                    .stop();
        }
    }
}
