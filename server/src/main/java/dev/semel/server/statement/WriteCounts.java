package dev.semel.server.statement;

import dev.semel.server.command.Call;

/** What {@code serverStatus} counts of write statements. */
final class WriteCounts {
    private WriteCounts() {}

    static void count(Write write, Call call) {
        switch (write) {
            case Write.Insert ignored -> call.counters().inserts.increment();
            case Write.Update ignored -> call.counters().updates.increment();
            case Write.Delete ignored -> call.counters().deletes.increment();
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
        if (inserted > 0) {
            call.counters().documentsInserted.add(inserted);
        }
        if (updated > 0) {
            call.counters().documentsUpdated.add(updated);
        }
        if (deleted > 0) {
            call.counters().documentsDeleted.add(deleted);
        }
    }
}
