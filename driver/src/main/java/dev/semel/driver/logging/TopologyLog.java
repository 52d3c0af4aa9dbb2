package dev.semel.driver.logging;

import dev.semel.driver.description.ConnectionId;
import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.event.ClusterListener;
import dev.semel.driver.setting.ServerAddress;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** What is learnt about the servers. */
public final class TopologyLog implements ClusterListener {
    private final Log log;

    public TopologyLog(Log log) {
        this.log = log;
    }

    public boolean isOn() {
        return log.isOn(LogComponent.TOPOLOGY, Level.DEBUG);
    }

    @Override
    public void on(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.TopologyOpening each ->
                write("Starting topology monitoring", fields(each.topologyId()), null);
            case ClusterEvent.TopologyClosed each ->
                write("Stopped topology monitoring", fields(each.topologyId()), null);
            case ClusterEvent.TopologyDescriptionChanged each ->
                write(
                        "Topology description changed",
                        fields(each.topologyId())
                                .with("previousDescription", each.previous().toString())
                                .with("newDescription", each.current().toString()),
                        null);
            case ClusterEvent.ServerOpening each ->
                write("Starting server monitoring", fields(each.topologyId(), each.address()), null);
            case ClusterEvent.ServerClosed each ->
                write("Stopped server monitoring", fields(each.topologyId(), each.address()), null);
            case ClusterEvent.HeartbeatStarted each ->
                write(
                        "Server heartbeat started",
                        heartbeat(each.topologyId(), each.connection(), each.awaited()),
                        null);
            case ClusterEvent.HeartbeatSucceeded each ->
                write(
                        "Server heartbeat succeeded",
                        heartbeat(each.topologyId(), each.connection(), each.awaited())
                                .with("durationMS", Log.ms(each.elapsed()))
                                .with("reply", log.text(each.reply())),
                        null);
            case ClusterEvent.HeartbeatFailed each ->
                write(
                        "Server heartbeat failed",
                        heartbeat(each.topologyId(), each.connection(), each.awaited())
                                .with("durationMS", Log.ms(each.elapsed()))
                                .with("failure", String.valueOf(each.failure().getMessage())),
                        each.failure());
            case ClusterEvent.ServerDescriptionChanged each -> {}
        }
    }

    private static Log.Fields fields(String topologyId) {
        return new Log.Fields().with("topologyId", topologyId);
    }

    private static Log.Fields fields(String topologyId, ServerAddress address) {
        return fields(topologyId).with("serverHost", address.host()).with("serverPort", address.port());
    }

    private static Log.Fields heartbeat(String topologyId, ConnectionId connection, boolean awaited) {
        return fields(topologyId, connection.server())
                .with("driverConnectionId", connection.localValue())
                .with("serverConnectionId", connection.serverValue())
                .with("awaited", awaited);
    }

    private void write(String text, Log.Fields fields, @Nullable Throwable failure) {
        log.write(new LogMessage(LogComponent.TOPOLOGY, Level.DEBUG, text, fields.values(), failure));
    }
}
