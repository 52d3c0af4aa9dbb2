package dev.semel.conformance.own;

import dev.semel.conformance.adapter.Event;
import dev.semel.conformance.adapter.Listener;
import dev.semel.driver.MongoClientSettings;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.event.CommandFailedEvent;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.event.CommandSucceededEvent;
import dev.semel.driver.event.ConnectionPoolEvent;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** The driver's events in the words of the format. */
record Listeners(Listener to) implements CommandListener {
    void listenTo(MongoClientSettings.Builder settings) {
        settings.addCommandListener(this);
        settings.applyToConnectionPoolSettings(pool -> pool.addConnectionPoolListener(event -> to.event(pool(event))));
        settings.applyToClusterSettings(cluster -> cluster.addClusterListener(event -> to.event(topology(event))));
    }

    private void command(
            String event, String name, String database, ConnectionDescription connection, BsonDocument more) {
        BsonDocument fields = new BsonDocument("commandName", new BsonString(name))
                .append("databaseName", new BsonString(database))
                .append("hasServiceId", BsonBoolean.valueOf(connection.serviceId() != null))
                .append(
                        "hasServerConnectionId",
                        BsonBoolean.valueOf(connection.id().serverValue() != null));
        fields.putAll(more);
        to.event(new Event(event, fields));
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        command(
                "commandStartedEvent",
                event.commandName(),
                event.databaseName(),
                event.connection(),
                new BsonDocument("command", event.command()));
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        command(
                "commandSucceededEvent",
                event.commandName(),
                event.databaseName(),
                event.connection(),
                new BsonDocument("reply", event.response()));
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
        command(
                "commandFailedEvent",
                event.commandName(),
                event.databaseName(),
                event.connection(),
                new BsonDocument());
    }

    private static Event pool(ConnectionPoolEvent event) {
        return switch (event) {
            case ConnectionPoolEvent.PoolCreated created -> new Event("poolCreatedEvent");
            case ConnectionPoolEvent.PoolReady ready -> new Event("poolReadyEvent");
            case ConnectionPoolEvent.PoolCleared cleared ->
                new Event(
                        "poolClearedEvent",
                        new BsonDocument("hasServiceId", BsonBoolean.FALSE)
                                .append(
                                        "interruptInUseConnections",
                                        BsonBoolean.valueOf(cleared.interruptInUseConnections())));
            case ConnectionPoolEvent.PoolClosed closed -> new Event("poolClosedEvent");
            case ConnectionPoolEvent.ConnectionCreated created -> new Event("connectionCreatedEvent");
            case ConnectionPoolEvent.ConnectionReady ready -> new Event("connectionReadyEvent");
            case ConnectionPoolEvent.ConnectionClosed closed ->
                because("connectionClosedEvent", closed.reason().label());
            case ConnectionPoolEvent.CheckOutStarted started -> new Event("connectionCheckOutStartedEvent");
            case ConnectionPoolEvent.CheckOutFailed failed ->
                because("connectionCheckOutFailedEvent", failed.reason().label());
            case ConnectionPoolEvent.CheckedOut out -> new Event("connectionCheckedOutEvent");
            case ConnectionPoolEvent.CheckedIn in -> new Event("connectionCheckedInEvent");
        };
    }

    private static Event because(String name, String reason) {
        return new Event(name, new BsonDocument("reason", new BsonString(reason)));
    }

    private static Event topology(ClusterEvent event) {
        return switch (event) {
            case ClusterEvent.TopologyOpening opening -> new Event("topologyOpeningEvent");
            case ClusterEvent.TopologyClosed closed -> new Event("topologyClosedEvent");
            case ClusterEvent.TopologyDescriptionChanged changed ->
                changed(
                        "topologyDescriptionChangedEvent",
                        Descriptions.topology(changed.previous()),
                        Descriptions.topology(changed.current()));
            case ClusterEvent.ServerOpening opening -> new Event("serverOpeningEvent");
            case ClusterEvent.ServerClosed closed -> new Event("serverClosedEvent");
            case ClusterEvent.ServerDescriptionChanged changed ->
                changed(
                        "serverDescriptionChangedEvent",
                        Descriptions.server(changed.previous()),
                        Descriptions.server(changed.current()));
            case ClusterEvent.HeartbeatStarted started -> heartbeat("serverHeartbeatStartedEvent", started.awaited());
            case ClusterEvent.HeartbeatSucceeded succeeded ->
                heartbeat("serverHeartbeatSucceededEvent", succeeded.awaited());
            case ClusterEvent.HeartbeatFailed failed -> heartbeat("serverHeartbeatFailedEvent", failed.awaited());
        };
    }

    private static Event changed(String name, BsonDocument previous, BsonDocument current) {
        return new Event(name, new BsonDocument("previousDescription", previous).append("newDescription", current));
    }

    private static Event heartbeat(String name, boolean isAwaited) {
        return new Event(name, new BsonDocument("awaited", BsonBoolean.valueOf(isAwaited)));
    }
}
