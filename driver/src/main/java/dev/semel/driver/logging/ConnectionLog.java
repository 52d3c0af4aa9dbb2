package dev.semel.driver.logging;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.event.ConnectionPoolEvent.CloseReason;
import dev.semel.driver.event.ConnectionPoolEvent.FailReason;
import dev.semel.driver.event.ConnectionPoolListener;
import dev.semel.driver.setting.PoolSettings;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What happens in the pools. */
public final class ConnectionLog implements ConnectionPoolListener {
    private final Log log;

    public ConnectionLog(Log log) {
        this.log = log;
    }

    public boolean isOn() {
        return log.isOn(LogComponent.CONNECTION, Level.DEBUG);
    }

    @Override
    public void on(ConnectionPoolEvent event) {
        var fields = new Log.Fields()
                .with("serverHost", event.address().host())
                .with("serverPort", event.address().port());
        MongoException failure = null;
        switch (event) {
            case ConnectionPoolEvent.PoolCreated each -> addSettings(fields, each.settings());
            case ConnectionPoolEvent.PoolCleared each -> {
                fields.with("serviceId", each.serviceId() == null ? null : String.valueOf(each.serviceId()));
                failure = each.error();
            }
            case ConnectionPoolEvent.ConnectionCreated each ->
                addId(fields, each.id().localValue());
            case ConnectionPoolEvent.ConnectionReady each ->
                addId(fields, each.id().localValue()).with("durationMS", Log.ms(each.elapsed()));
            case ConnectionPoolEvent.ConnectionClosed each -> {
                addId(fields, each.id().localValue()).with("reason", reason(each.reason()));
                failure = each.error();
            }
            case ConnectionPoolEvent.CheckOutFailed each -> {
                fields.with("reason", reason(each.reason())).with("durationMS", Log.ms(each.elapsed()));
                failure = each.error();
            }
            case ConnectionPoolEvent.CheckedOut each ->
                addId(fields, each.id().localValue()).with("durationMS", Log.ms(each.elapsed()));
            case ConnectionPoolEvent.CheckedIn each -> addId(fields, each.id().localValue());
            case ConnectionPoolEvent.PoolReady each -> {}
            case ConnectionPoolEvent.PoolClosed each -> {}
            case ConnectionPoolEvent.CheckOutStarted each -> {}
        }
        fields.with("error", failure == null ? null : failure.text());
        log.write(new LogMessage(LogComponent.CONNECTION, Level.DEBUG, text(event), fields.values(), failure));
    }

    private static Log.Fields addId(Log.Fields fields, int id) {
        return fields.with("driverConnectionId", id);
    }

    private static void addSettings(Log.Fields fields, PoolSettings settings) {
        fields.with("maxPoolSize", settings.maxSize())
                .with("minPoolSize", settings.minSize())
                .with("maxConnecting", settings.maxConnecting())
                .with("maxIdleTimeMS", toMs(settings.maxIdleTime()))
                .with("waitQueueTimeoutMS", toMs(settings.waitQueueTimeout()));
    }

    private static @Nullable Long toMs(@Nullable Duration duration) {
        return duration == null ? null : (Long) duration.toMillis();
    }

    private static String text(ConnectionPoolEvent event) {
        return switch (event) {
            case ConnectionPoolEvent.PoolCreated each -> "Connection pool created";
            case ConnectionPoolEvent.PoolReady each -> "Connection pool ready";
            case ConnectionPoolEvent.PoolCleared each -> "Connection pool cleared";
            case ConnectionPoolEvent.PoolClosed each -> "Connection pool closed";
            case ConnectionPoolEvent.ConnectionCreated each -> "Connection created";
            case ConnectionPoolEvent.ConnectionReady each -> "Connection ready";
            case ConnectionPoolEvent.ConnectionClosed each -> "Connection closed";
            case ConnectionPoolEvent.CheckOutStarted each -> "Connection checkout started";
            case ConnectionPoolEvent.CheckOutFailed each -> "Connection checkout failed";
            case ConnectionPoolEvent.CheckedOut each -> "Connection checked out";
            case ConnectionPoolEvent.CheckedIn each -> "Connection checked in";
        };
    }

    private static String reason(CloseReason reason) {
        return switch (reason) {
            case STALE -> "Connection became stale because the pool was cleared";
            case IDLE -> "Connection has been available but unused for longer than the configured max idle time";
            case ERROR -> "An error occurred while using the connection";
            case POOL_CLOSED -> "Connection pool was closed";
        };
    }

    private static String reason(FailReason reason) {
        return switch (reason) {
            case POOL_CLOSED -> "Connection pool was closed";
            case TIMEOUT -> "Wait queue timeout elapsed without a connection becoming available";
            case CONNECTION_ERROR -> "An error occurred while trying to establish a new connection";
        };
    }
}
