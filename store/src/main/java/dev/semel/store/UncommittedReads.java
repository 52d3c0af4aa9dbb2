package dev.semel.store;

import java.util.List;

/**
 * What transactions have written that are still open. Made before the engine is read: the other way round a transaction
 * committing in between would be in neither.
 */
final class UncommittedReads {
    private record Root(Transaction transaction, Writes writes) {}

    private final List<Root> roots;

    UncommittedReads(List<Transaction> open) {
        roots = open.stream()
                .map(each -> new Root(each, each.published()))
                .filter(each -> !each.writes.isEmpty())
                .toList();
    }

    Snapshot over(Snapshot newest) {
        Snapshot snapshot = newest;
        for (Root each : roots) {
            snapshot = over(snapshot, each.transaction, each.writes);
        }
        return snapshot;
    }

    /**
     * One that has ended by now is left out, for a later commit may have overwritten what its root shows. One that is being
     * committed may be in the engine or not, so all that it has written is laid over it, not what it had written a moment
     * ago.
     */
    private static Snapshot over(Snapshot below, Transaction other, Writes root) {
        while (true) {
            Transaction.State now = other.state();
            Writes all = other.published();
            // What is committed is forgotten only after the state says so.
            if (other.state() == now) {
                if (now == Transaction.State.ENDED) {
                    return below;
                }
                Writes shown = now == Transaction.State.OPEN ? root : all;
                SpilledWrites.State spilled = shown.spilled();
                if (spilled == null) {
                    return new Overlay(below, shown, () -> {});
                }
                if (spilled.in().tryAcquire()) {
                    return new Overlay(below, shown, () -> spilled.in().release());
                }
                // It has ended, or has taken back all that it had spilled.
                return below;
            }
        }
    }
}
