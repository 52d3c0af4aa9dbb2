package dev.semel.driver.logging;

import dev.semel.driver.setting.ServerAddress;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** How operations find their servers. */
public final class SelectionLog {
    private final Log log;

    public SelectionLog(Log log) {
        this.log = log;
    }

    /** Who selects, for what, and what is known of the servers at the moment. */
    public record Selection(String operation, long operationId, String selector, String topology) {}

    public boolean isOn(Level level) {
        return log.isOn(LogComponent.SERVER_SELECTION, level);
    }

    public void started(Selection selection) {
        write(Level.DEBUG, "Server selection started", fields(selection), null);
    }

    public void succeeded(Selection selection, ServerAddress address) {
        write(
                Level.DEBUG,
                "Server selection succeeded",
                fields(selection).with("serverHost", address.host()).with("serverPort", address.port()),
                null);
    }

    public void failed(Selection selection, RuntimeException failure) {
        write(
                Level.DEBUG,
                "Server selection failed",
                fields(selection).with("failure", String.valueOf(failure.getMessage())),
                failure);
    }

    public void waiting(Selection selection, long remainingMs) {
        write(
                Level.INFO,
                "Waiting for suitable server to become available",
                fields(selection).with("remainingTimeMS", remainingMs),
                null);
    }

    private static Log.Fields fields(Selection selection) {
        return new Log.Fields()
                .with("selector", selection.selector())
                .with("operation", selection.operation())
                .with("operationId", selection.operationId())
                .with("topologyDescription", selection.topology());
    }

    private void write(Level level, String text, Log.Fields fields, @Nullable Throwable failure) {
        log.write(new LogMessage(LogComponent.SERVER_SELECTION, level, text, fields.values(), failure));
    }
}
