package dev.semel.driver.topology;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.logging.SelectionLog;
import dev.semel.driver.setting.ServerAddress;
import java.lang.System.Logger.Level;
import java.util.function.Supplier;

/** The log messages of one selection. */
final class SelectionLogging {
    private final SelectionLog log;
    private final ServerSelection.Criterion criterion;
    private final String commandName;
    private final long operationId;
    private final Supplier<TopologyDescription> topology;
    private boolean hasWaited;

    SelectionLogging(
            SelectionLog log,
            ServerSelection.Criterion criterion,
            String commandName,
            long operationId,
            Supplier<TopologyDescription> topology) {
        this.log = log;
        this.criterion = criterion;
        this.commandName = commandName;
        this.operationId = operationId;
        this.topology = topology;
    }

    private SelectionLog.Selection now() {
        return new SelectionLog.Selection(
                commandName, operationId, criterion.toString(), topology.get().toString());
    }

    void started() {
        if (log.isOn(Level.DEBUG)) {
            log.started(now());
        }
    }

    void succeeded(ServerAddress address) {
        if (log.isOn(Level.DEBUG)) {
            log.succeeded(now(), address);
        }
    }

    void failed(RuntimeException failure) {
        if (log.isOn(Level.DEBUG)) {
            log.failed(now(), failure);
        }
    }

    /** Logged once, however often it looks again. */
    void waiting(Deadline deadline) {
        if (!hasWaited) {
            hasWaited = true;
            log.waiting(now(), deadline.remainingMs());
        }
    }
}
