package dev.semel.driver.execution;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.FieldNames;
import dev.semel.driver.connection.Time;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.event.RetryStatistics;
import dev.semel.driver.topology.Topology;
import java.util.concurrent.atomic.AtomicLong;

/** Carries out operations. {@link Attempts} does the work for one of them: the only place that retries. */
public final class Execution {
    private final ExecutionContext context;
    private final ServerSessions sessions;
    private final FieldNames fieldNames = new FieldNames();
    private final AtomicLong operationIds = new AtomicLong();

    public Execution(Topology topology, ServerSessions sessions, ExecutionSettings settings) {
        this.sessions = sessions;
        context = new ExecutionContext(
                topology,
                settings,
                new RetryPolicy(settings),
                new Monitoring(settings.commandListeners(), settings.retryListeners(), settings.log()),
                new RetryCounters(),
                new ClusterClock());
    }

    public ServerSessions sessions() {
        return sessions;
    }

    public Time time() {
        return context.settings().time();
    }

    public ClusterClock clock() {
        return context.clock();
    }

    public TopologyDescription topology() {
        return context.topology().description();
    }

    public RetryStatistics retryStatistics() {
        return context.counters().statistics();
    }

    /** Those of the documents of all cursors. */
    public FieldNames fieldNames() {
        return fieldNames;
    }

    public long nextOperationId() {
        return operationIds.incrementAndGet();
    }

    /** The result, or the most informative exception of all failed attempts. */
    public <R> R run(Operation<R> operation, Session session, Deadline deadline) {
        return run(operation, session, deadline, nextOperationId());
    }

    /** With an id that several commands share: they are parts of one operation. */
    public <R> R run(Operation<R> operation, Session session, Deadline deadline, long operationId) {
        return new Attempts<>(operation, session, deadline, operationId, context).result();
    }
}
