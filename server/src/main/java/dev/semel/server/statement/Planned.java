package dev.semel.server.statement;

import dev.semel.server.catalog.Collection;
import dev.semel.server.plan.Plan;
import dev.semel.store.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What to read and how. The caller closes the snapshot, after the run.
 *
 * @param collection null if there is none; the plan then finds nothing
 */
public record Planned(Snapshot snapshot, @Nullable Collection collection, Plan plan) {}
