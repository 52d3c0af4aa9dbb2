package dev.semel.server.plan;

import dev.semel.query.filter.Filters;
import dev.semel.server.catalog.Index;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The index with the fewest keys to look at, as far as a short trial shows. */
final class Contest {
    /** Each round looks further than the one before, so that a short scan wins without the long ones being walked far. */
    private static final int[] ROUNDS = {16, 128, 1024};

    private final Query query;
    private final Snapshot snapshot;

    Contest(Query query, Snapshot snapshot) {
        this.query = query;
        this.snapshot = snapshot;
    }

    /**
     * @param sorting an index without bounds that has the wanted order; null if there is none
     */
    Candidate best(List<Candidate> bounded, @Nullable Candidate sorting) {
        if (bounded.size() == 1 && sorting == null) {
            return bounded.getFirst();
        }
        for (Candidate each : bounded) {
            if (findsOne(each)) {
                return each;
            }
        }
        if (bounded.size() == 1 && (query.limit() == 0 || bounded.getFirst().direction() != 0)) {
            return bounded.getFirst();
        }
        for (int keysMax : ROUNDS) {
            Candidate winner = shortest(bounded, keysMax);
            if (winner != null) {
                return winner;
            }
        }
        return amongLong(bounded, sorting);
    }

    /** Equality on all fields of a unique index. */
    private static boolean findsOne(Candidate candidate) {
        Index index = candidate.index();
        return index.isUnique()
                && !candidate.bounds().isMultikey()
                && candidate.bounds().fields().stream().allMatch(Intervals::isPoint);
    }

    private @Nullable Candidate shortest(List<Candidate> candidates, int keysMax) {
        Candidate best = null;
        long least = Long.MAX_VALUE;
        for (Candidate each : candidates) {
            long keys = count(each, keysMax);
            if (keys == keysMax) {
                continue;
            }
            // A document costs more than a key, and putting it in order costs again.
            long cost = keys * (!needsDocuments(each) ? 2 : each.index().hasDocuments() ? 3 : 4)
                    + (each.direction() == 0 ? keys : 0);
            boolean better = cost < least
                    || (cost == least
                            && best != null
                            && each.bounds().boundedPrefix() > best.bounds().boundedPrefix());
            if (better) {
                best = each;
                least = cost;
            }
        }
        return best;
    }

    private boolean needsDocuments(Candidate candidate) {
        return !query.keysOnly() || !candidate.residual().equals(Filters.ALL);
    }

    private long count(Candidate candidate, int keysMax) {
        Reading reading = new Reading(snapshot, Interruption.unlimited());
        try (KeyScan scan = new KeyScan(candidate.index(), candidate.range(), false, reading)) {
            while (scan.examined() < keysMax && scan.next()) {
                // Only how many counts.
            }
            return Math.min(scan.examined(), keysMax);
        }
    }

    /** All are long: one that needs no sort, then the one with most bounds. */
    private Candidate amongLong(List<Candidate> bounded, @Nullable Candidate sorting) {
        List<Candidate> inOrder = new ArrayList<>();
        for (Candidate each : bounded) {
            if (each.direction() != 0) {
                inOrder.add(each);
            }
        }
        if (inOrder.isEmpty() && sorting != null && query.limit() > 0) {
            return sorting;
        }
        List<Candidate> from = inOrder.isEmpty() ? bounded : inOrder;
        Candidate best = from.getFirst();
        for (Candidate each : from) {
            if (each.points() > best.points()) {
                best = each;
            }
        }
        return best;
    }
}
