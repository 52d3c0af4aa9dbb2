package dev.semel.server.plan;

import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import java.util.ArrayList;
import java.util.List;

/**
 * A plan run for nothing but to learn what its answer depends on.
 *
 * @param extents of a limited plan up to where it stopped, else all
 * @param documents keys of those that were looked at elsewhere, matching or not
 */
public record Trial(List<Extent> extents, List<byte[]> documents) {

    /** Runs it as far as it will be run for its answer. */
    public static Trial of(Plan plan, Snapshot snapshot, Interruption interruption) {
        boolean limited = plan.isLimited();
        List<byte[]> documents = new ArrayList<>();
        if (!limited && !Extents.fetches(plan)) {
            return new Trial(plan.extents(), documents);
        }
        Plan tried = limited ? plan : Extents.source(plan);
        try (Run run = Runs.open(tried, new Reading(snapshot, interruption, documents))) {
            while (!(limited && run.isExhausted()) && run.next()) {
                // What it looks at is noted on the way.
            }
            if (!limited) {
                return new Trial(plan.extents(), documents);
            }
            List<Extent> extents = new ArrayList<>();
            run.addExtents(extents);
            return new Trial(extents, documents);
        }
    }
}
