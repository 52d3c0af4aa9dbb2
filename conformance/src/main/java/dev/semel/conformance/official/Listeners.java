package dev.semel.conformance.official;

import com.mongodb.connection.ConnectionDescription;
import com.mongodb.event.ClusterClosedEvent;
import com.mongodb.event.ClusterDescriptionChangedEvent;
import com.mongodb.event.ClusterListener;
import com.mongodb.event.ClusterOpeningEvent;
import com.mongodb.event.CommandEvent;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import com.mongodb.event.ConnectionCheckOutFailedEvent;
import com.mongodb.event.ConnectionCheckOutStartedEvent;
import com.mongodb.event.ConnectionCheckedInEvent;
import com.mongodb.event.ConnectionCheckedOutEvent;
import com.mongodb.event.ConnectionClosedEvent;
import com.mongodb.event.ConnectionCreatedEvent;
import com.mongodb.event.ConnectionPoolClearedEvent;
import com.mongodb.event.ConnectionPoolClosedEvent;
import com.mongodb.event.ConnectionPoolCreatedEvent;
import com.mongodb.event.ConnectionPoolListener;
import com.mongodb.event.ConnectionPoolReadyEvent;
import com.mongodb.event.ConnectionReadyEvent;
import com.mongodb.event.ServerClosedEvent;
import com.mongodb.event.ServerDescriptionChangedEvent;
import com.mongodb.event.ServerHeartbeatFailedEvent;
import com.mongodb.event.ServerHeartbeatStartedEvent;
import com.mongodb.event.ServerHeartbeatSucceededEvent;
import com.mongodb.event.ServerListener;
import com.mongodb.event.ServerMonitorListener;
import com.mongodb.event.ServerOpeningEvent;
import dev.semel.conformance.adapter.Event;
import dev.semel.conformance.adapter.Listener;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** The driver's events in the words of the format. */
record Listeners(Listener to)
        implements CommandListener, ConnectionPoolListener, ClusterListener, ServerListener, ServerMonitorListener {
    private void tell(String name) {
        to.event(new Event(name));
    }

    private void tell(String name, String field, String value) {
        to.event(new Event(name, new BsonDocument(field, new BsonString(value))));
    }

    // ---- commands

    private void command(String name, CommandEvent event, BsonDocument more) {
        ConnectionDescription connection = event.getConnectionDescription();
        BsonDocument fields = new BsonDocument("commandName", new BsonString(event.getCommandName()))
                .append("databaseName", new BsonString(event.getDatabaseName()))
                .append("hasServiceId", BsonBoolean.valueOf(connection.getServiceId() != null))
                .append(
                        "hasServerConnectionId",
                        BsonBoolean.valueOf(connection.getConnectionId().getServerValue() != null));
        fields.putAll(more);
        to.event(new Event(name, fields));
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        // What the event shows is the driver's own buffer, gone when this method ends.
        command("commandStartedEvent", event, new BsonDocument("command", copy(event.getCommand())));
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        command("commandSucceededEvent", event, new BsonDocument("reply", copy(event.getResponse())));
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
        command("commandFailedEvent", event, new BsonDocument());
    }

    private static BsonDocument copy(BsonDocument document) {
        return document.toBsonDocument().clone();
    }

    // ---- connections

    @Override
    public void connectionPoolCreated(ConnectionPoolCreatedEvent event) {
        tell("poolCreatedEvent");
    }

    @Override
    public void connectionPoolCleared(ConnectionPoolClearedEvent event) {
        to.event(new Event(
                "poolClearedEvent",
                new BsonDocument("hasServiceId", BsonBoolean.valueOf(event.getServiceId() != null))));
    }

    @Override
    public void connectionPoolReady(ConnectionPoolReadyEvent event) {
        tell("poolReadyEvent");
    }

    @Override
    public void connectionPoolClosed(ConnectionPoolClosedEvent event) {
        tell("poolClosedEvent");
    }

    @Override
    public void connectionCheckOutStarted(ConnectionCheckOutStartedEvent event) {
        tell("connectionCheckOutStartedEvent");
    }

    @Override
    public void connectionCheckedOut(ConnectionCheckedOutEvent event) {
        tell("connectionCheckedOutEvent");
    }

    @Override
    public void connectionCheckOutFailed(ConnectionCheckOutFailedEvent event) {
        String reason = switch (event.getReason()) {
            case POOL_CLOSED -> "poolClosed";
            case TIMEOUT -> "timeout";
            case CONNECTION_ERROR -> "connectionError";
            case UNKNOWN -> "unknown";
        };
        tell("connectionCheckOutFailedEvent", "reason", reason);
    }

    @Override
    public void connectionCheckedIn(ConnectionCheckedInEvent event) {
        tell("connectionCheckedInEvent");
    }

    @Override
    public void connectionCreated(ConnectionCreatedEvent event) {
        tell("connectionCreatedEvent");
    }

    @Override
    public void connectionReady(ConnectionReadyEvent event) {
        tell("connectionReadyEvent");
    }

    @Override
    public void connectionClosed(ConnectionClosedEvent event) {
        String reason = switch (event.getReason()) {
            case STALE -> "stale";
            case IDLE -> "idle";
            case ERROR -> "error";
            case POOL_CLOSED -> "poolClosed";
        };
        tell("connectionClosedEvent", "reason", reason);
    }

    // ---- topology

    @Override
    public void clusterOpening(ClusterOpeningEvent event) {
        tell("topologyOpeningEvent");
    }

    @Override
    public void clusterClosed(ClusterClosedEvent event) {
        tell("topologyClosedEvent");
    }

    @Override
    public void clusterDescriptionChanged(ClusterDescriptionChangedEvent event) {
        to.event(new Event(
                "topologyDescriptionChangedEvent",
                new BsonDocument("previousDescription", Descriptions.cluster(event.getPreviousDescription()))
                        .append("newDescription", Descriptions.cluster(event.getNewDescription()))));
    }

    @Override
    public void serverOpening(ServerOpeningEvent event) {
        tell("serverOpeningEvent");
    }

    @Override
    public void serverClosed(ServerClosedEvent event) {
        tell("serverClosedEvent");
    }

    @Override
    public void serverDescriptionChanged(ServerDescriptionChangedEvent event) {
        to.event(new Event(
                "serverDescriptionChangedEvent",
                new BsonDocument("previousDescription", Descriptions.server(event.getPreviousDescription()))
                        .append("newDescription", Descriptions.server(event.getNewDescription()))));
    }

    private void heartbeat(String name, boolean isAwaited) {
        to.event(new Event(name, new BsonDocument("awaited", BsonBoolean.valueOf(isAwaited))));
    }

    @Override
    public void serverHearbeatStarted(ServerHeartbeatStartedEvent event) {
        heartbeat("serverHeartbeatStartedEvent", event.isAwaited());
    }

    @Override
    public void serverHeartbeatSucceeded(ServerHeartbeatSucceededEvent event) {
        heartbeat("serverHeartbeatSucceededEvent", event.isAwaited());
    }

    @Override
    public void serverHeartbeatFailed(ServerHeartbeatFailedEvent event) {
        heartbeat("serverHeartbeatFailedEvent", event.isAwaited());
    }
}
