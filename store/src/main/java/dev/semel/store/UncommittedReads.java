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
                return switch (now) {
                    case OPEN -> new Overlay(below, root, () -> {});
                    case COMMITTING -> new Overlay(below, all, () -> {});
                    case ENDED -> below;
                };
            }
        }
    }
}
