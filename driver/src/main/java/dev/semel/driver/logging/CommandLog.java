package dev.semel.driver.logging;

import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.event.CommandEvent;
import dev.semel.driver.event.CommandFailedEvent;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.event.CommandSucceededEvent;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** Commands and their answers. Secrets have been taken out of the events already. */
public final class CommandLog implements CommandListener {
    private final Log log;

    public CommandLog(Log log) {
        this.log = log;
    }

    public boolean isOn() {
        return log.isOn(LogComponent.COMMAND, Level.DEBUG);
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        write("Command started", common(event).with("command", log.text(event.command())), null);
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        write(
                "Command succeeded",
                common(event).with("durationMS", Log.ms(event.elapsed())).with("reply", log.text(event.response())),
                null);
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
        write(
                "Command failed",
                common(event)
                        .with("durationMS", Log.ms(event.elapsed()))
                        .with("failure", event.failure().text()),
                event.failure());
    }

    private static Log.Fields common(CommandEvent event) {
        ConnectionDescription connection = event.connection();
        return new Log.Fields()
                .with("commandName", event.commandName())
                .with("databaseName", event.databaseName())
                .with("requestId", event.requestId())
                .with("operationId", event.operationId())
                .with("driverConnectionId", connection.id().localValue())
                .with("serverConnectionId", connection.id().serverValue())
                .with("serverHost", connection.id().server().host())
                .with("serverPort", connection.id().server().port())
                .with(
                        "serviceId",
                        connection.serviceId() == null
                                ? null
                                : connection.serviceId().toHexString());
    }

    private void write(String text, Log.Fields fields, @Nullable Throwable failure) {
        log.write(new LogMessage(LogComponent.COMMAND, Level.DEBUG, text, fields.values(), failure));
    }
}
