package dev.semel.driver.pool;

import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.event.ConnectionPoolListener;
import dev.semel.driver.logging.ConnectionLog;
import dev.semel.driver.logging.Listeners;
import dev.semel.driver.logging.Log;
import java.util.List;

/** The receivers of pool events: listeners and the log. */
public final class PoolEvents {
    private final Listeners<ConnectionPoolListener> listeners;
    private final ConnectionLog log;

    public PoolEvents(List<ConnectionPoolListener> listeners, Log log) {
        this.listeners = new Listeners<>(listeners);
        this.log = new ConnectionLog(log);
    }

    /** Whether events are worth making. */
    boolean isPresent() {
        return !listeners.isEmpty() || log.isOn();
    }

    void tell(ConnectionPoolEvent event) {
        listeners.tell(each -> each.on(event));
        if (log.isOn()) {
            log.on(event);
        }
    }
}
