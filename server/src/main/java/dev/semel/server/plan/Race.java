package dev.semel.server.plan;

import dev.semel.query.expression.QueryMemory;
import dev.semel.server.plan.KeptRun.Row;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.memory.Reservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * MongoDB's way to choose among plans: all of them are run for a short while, side by side, and the one that gave most
 * results for its work goes on. A unit of work is a key or a document that is looked at. What the winner has found is kept.
 */
final class Race {
    /** Of one plan. */
    private static final long WORKS_MAX = 10_000;

    /** A plan that has found so many has reached the end of the race. */
    private static final int RESULTS_MAX = 101;

    /** What is kept of the results of all plans together; of more nothing is kept, so that the winner begins anew. */
    private static final long BYTES_MAX = 1 << 20;

    /** Work between two looks at who is ahead. */
    private static final int ROUND = 16;

    private final Query query;
    private final Snapshot snapshot;
    private final Interruption interruption;
    private final Reservation reservation;
    private final int resultsMax;
    private long bytes;

    Race(Query query, Snapshot snapshot, Interruption interruption, QueryMemory memory) {
        this.query = query;
        this.snapshot = snapshot;
        this.interruption = interruption;
        this.reservation = memory.all().open();
        this.resultsMax = (int) (query.limit() == 0 ? RESULTS_MAX : Math.min(query.limit(), RESULTS_MAX));
    }

    /**
     * @param run of the winner; null if it has to begin anew
     * @param ranking all plans that took part, the best first
     */
    record Result(@Nullable KeptRun run, Ranked winner, List<Ranked> ranking, long works) {}

    /** One plan on its way. */
    private final class Entrant {
        private final Contender contender;
        private final Reading reading = new Reading(snapshot, interruption);
        private final Run run;
        private final List<Row> rows = new ArrayList<>();
        private int results;
        private boolean keeps = true;
        private boolean isAtEnd;
        private boolean hasFailed;

        Entrant(Contender contender) {
            this.contender = contender;
            this.run = Runs.open(contender.plan(), reading);
        }

        void work(long until) {
            reading.suspendAt(until);
            try {
                while (!isDone() && run.next()) {
                    add(Row.of(run, !query.keysOnly()));
                }
                isAtEnd = run.atEnd() || run.isExhausted();
            } catch (CommandException e) {
                // Another plan may do without what has failed here, but not if the operation is to end.
                interruption.check();
                hasFailed = true;
            }
        }

        private void add(Row row) {
            results++;
            keeps = keeps && bytes + row.bytes() <= BYTES_MAX && reservation.growIfFree(row.bytes());
            if (keeps) {
                rows.add(row);
                bytes += row.bytes();
            } else {
                rows.clear();
            }
        }

        boolean isDone() {
            return isAtEnd || results >= resultsMax;
        }

        long works() {
            return Math.max(1, reading.keys() + (contender.sorts() ? results : 0) + (isAtEnd ? 1 : 0));
        }

        /** MongoDB's formula: the bonuses decide where plans are equally productive. */
        double score() {
            double bonus = Math.min(1.0 / (10 * works()), 1e-4);
            return 1
                    + (double) results / works()
                    + bonus
                    + (contender.fetches() ? 0 : bonus)
                    + (contender.sorts() ? 0 : bonus)
                    + (isAtEnd ? 1 : 0);
        }

        /** Nothing found and no end in sight, in a whole index. */
        private boolean isHopeless() {
            return results == 0 && !isAtEnd && contender.points() == 0;
        }

        Ranked ranked() {
            return new Ranked(contender, score(), Explain.trial(query, contender.plan(), run, results, score()));
        }
    }

    private static final Comparator<Entrant> BEST_FIRST = Comparator.comparing(Entrant::isHopeless)
            .thenComparing(Entrant::score, Comparator.reverseOrder())
            .thenComparingLong(Entrant::works)
            .thenComparing(each -> each.contender.points(), Comparator.reverseOrder());

    /** Runs one plan alone; null if it needs more work than that for its first results. */
    @Nullable
    KeptRun within(Contender contender, long works) {
        Entrant entrant = null;
        boolean isKept = false;
        try {
            entrant = new Entrant(contender);
            entrant.work(works);
            isKept = !entrant.hasFailed && entrant.isDone() && entrant.keeps;
            return isKept ? begun(entrant) : null;
        } finally {
            if (!isKept) {
                if (entrant != null) {
                    entrant.run.close();
                }
                reservation.close();
            }
        }
    }

    /** Null if all plans fail. */
    @Nullable
    Result run(List<Contender> contenders) {
        List<Entrant> entrants = new ArrayList<>();
        Entrant winner = null;
        try {
            contenders.forEach(each -> entrants.add(new Entrant(each)));
            long until = ROUND;
            while (isOpen(entrants, until)) {
                until += ROUND;
            }
            List<Entrant> order = entrants.stream()
                    .filter(each -> !each.hasFailed)
                    .sorted(BEST_FIRST)
                    .toList();
            if (order.isEmpty()) {
                return null;
            }
            List<Ranked> ranking = order.stream().map(Entrant::ranked).toList();
            Entrant best = order.getFirst();
            KeptRun begun = best.keeps ? begun(best) : null;
            winner = begun == null ? null : best;
            return new Result(begun, ranking.getFirst(), ranking, best.works());
        } finally {
            for (Entrant each : entrants) {
                if (each != winner) {
                    each.run.close();
                }
            }
            if (winner == null) {
                reservation.close();
            }
        }
    }

    /** Works one round; says whether there is to be another one. */
    private boolean isOpen(List<Entrant> entrants, long until) {
        boolean anyLeft = false;
        boolean anyDone = false;
        for (Entrant each : entrants) {
            if (!each.hasFailed) {
                each.work(until);
                anyLeft |= !each.hasFailed;
                anyDone |= !each.hasFailed && each.isDone();
            }
        }
        return anyLeft && !anyDone && until < WORKS_MAX;
    }

    private KeptRun begun(Entrant winner) {
        winner.reading.suspendAt(Long.MAX_VALUE);
        winner.run.pause();
        return new KeptRun(winner.run, winner.rows, reservation);
    }
}
