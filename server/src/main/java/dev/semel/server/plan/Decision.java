package dev.semel.server.plan;

import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a query is answered and, where there was a choice, what the trial of the plans has shown and found. A run that was begun
 * for it ends with {@link #close} unless it was {@link #open opened}.
 */
public final class Decision implements AutoCloseable {
    private final Plan plan;
    private final @Nullable PlanKey key;
    private final List<Ranked> ranking;
    private final boolean isCached;
    private @Nullable KeptRun begun;

    /**
     * @param ranking all plans that were tried, the best first; empty if there was but one
     * @param isCached whether the cache has this plan for such queries
     */
    Decision(Plan plan, @Nullable PlanKey key, List<Ranked> ranking, boolean isCached, @Nullable KeptRun begun) {
        this.plan = plan;
        this.key = key;
        this.ranking = ranking;
        this.isCached = isCached;
        this.begun = begun;
    }

    /** Without a choice. */
    public static Decision of(Plan plan) {
        return new Decision(plan, null, List.of(), false, null);
    }

    public Plan plan() {
        return plan;
    }

    /** By which the cache knows it. */
    PlanKey key(Query query) {
        return key == null ? PlanKey.of(query, List.of()) : key;
    }

    List<Ranked> ranking() {
        return ranking;
    }

    boolean isCached() {
        return isCached;
    }

    /**
     * Runs the plan, or goes on with the run that was begun. The snapshot is the one in which it was decided; it stays the
     * caller's, who closes it after the run.
     */
    public Run open(Snapshot snapshot, Interruption interruption) {
        KeptRun run = begun;
        if (run == null) {
            return plan.open(snapshot, interruption);
        }
        begun = null;
        run.resume(interruption);
        return run;
    }

    @Override
    public void close() {
        KeptRun run = begun;
        if (run != null) {
            begun = null;
            run.close();
        }
    }
}
