package dev.semel.server.statement;

import dev.semel.server.command.Call;

/** What {@code serverStatus} counts of write statements. */
final class WriteCounts {
    private WriteCounts() {}

    static void count(Write write, Call call) {
        switch (write) {
            case Write.Insert ignored -> call.count(call.counters().inserts);
            case Write.Update ignored -> call.count(call.counters().updates);
            case Write.Delete ignored -> call.count(call.counters().deletes);
        }
    }

    static void countOutcomes(Results results, Call call) {
        long inserted = 0;
        long updated = 0;
        long deleted = 0;
        for (int i = 0; i < results.statements(); i++) {
            switch (results.isRetried(i) ? null : results.get(i)) {
                case Outcome.Inserted() -> inserted++;
                case Outcome.Updated(long matched, long modified, var upserted) -> {
                    updated += modified;
                    inserted += upserted == null ? 0 : 1;
                }
                case Outcome.Deleted(long documents) -> deleted += documents;
                case Outcome.Failed ignored -> {}
                case null -> {}
            }
        }
        call.count(call.counters().documentsInserted, inserted);
        call.count(call.counters().documentsUpdated, updated);
        call.count(call.counters().documentsDeleted, deleted);
    }
}
