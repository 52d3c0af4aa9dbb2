package dev.semel.server.statement;

import dev.semel.server.catalog.Collection;
import dev.semel.server.plan.Decision;
import dev.semel.server.plan.Plan;
import dev.semel.server.plan.Run;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import org.jspecify.annotations.Nullable;

/**
 * What to read and how. Closing it closes the snapshot, so that the run is closed first.
 *
 * @param collection null if there is none; the plan then finds nothing
 */
public record Planned(Snapshot snapshot, @Nullable Collection collection, Decision decision) implements AutoCloseable {
    public Plan plan() {
        return decision.plan();
    }

    public Run open(Interruption interruption) {
        return decision.open(snapshot, interruption);
    }

    @Override
    public void close() {
        decision.close();
        snapshot.close();
    }
}
