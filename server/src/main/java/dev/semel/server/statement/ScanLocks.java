package dev.semel.server.statement;

import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.plan.Decision;
import dev.semel.server.plan.Extent;
import dev.semel.server.plan.Plan;
import dev.semel.server.plan.Planner;
import dev.semel.server.plan.Query;
import dev.semel.server.plan.Trial;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.wire.Namespace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Locks what a statement of a transaction reads, gaps included, so that its result stays true until the transaction
 * ends. If a plan is read to its end, its ranges are known beforehand: they are locked and then read. A plan that stops
 * earlier is tried first, then locked as far as it went; if another transaction was faster, it is tried again. The locks
 * stay, so this comes to an end.
 */
final class ScanLocks {
    private final Catalog catalog;
    private final Planner planner;

    ScanLocks(Catalog catalog, Planner planner) {
        this.catalog = catalog;
        this.planner = planner;
    }

    /** A plan and a view in which it finds what others can no longer change. */
    Planned settle(
            Transaction transaction, Namespace namespace, Query query, LockMode mode, Interruption interruption) {
        Search search = new Search(transaction, namespace, query, mode, interruption);
        while (true) {
            interruption.check();
            Snapshot look = transaction.view();
            boolean settled = false;
            try {
                Planned planned = search.tried(look);
                settled = planned != null;
                if (planned != null) {
                    return planned;
                }
            } finally {
                if (!settled) {
                    look.close();
                }
            }
        }
    }

    /** One search, from the first look to the last. */
    private final class Search {
        private final Transaction transaction;
        private final Namespace namespace;
        private final Query query;
        private final LockMode mode;
        private final Interruption interruption;
        private final Set<Extent> locked = new HashSet<>();

        Search(Transaction transaction, Namespace namespace, Query query, LockMode mode, Interruption interruption) {
            this.transaction = transaction;
            this.namespace = namespace;
            this.query = query;
            this.mode = mode;
            this.interruption = interruption;
        }

        /** Null if what the look shows may have changed before it was locked. */
        @Nullable
        Planned tried(Snapshot look) {
            Collection collection = catalog.locks().lockForRead(namespace, look, transaction);
            if (collection == null) {
                Planner.requireNoIndex(namespace, query);
                return catalog.locks().isNewest(namespace, look, transaction)
                        ? new Planned(look, null, Decision.of(new Plan.Nothing()))
                        : null;
            }
            if (!catalog.locks().isNewest(namespace, look, transaction)) {
                return null;
            }
            Plan plan = planner.plan(collection, query, look, interruption);
            boolean stands = plan.isLimited()
                    ? lockWhatWasTried(plan, look)
                    : lockAll(plan.extents()) && lockDocuments(plan, look);
            return stands ? new Planned(look, collection, Decision.of(plan)) : null;
        }

        private boolean lockWhatWasTried(Plan plan, Snapshot look) {
            Trial trial = Trial.of(plan, look, interruption);
            boolean stands = true;
            for (Extent each : trial.extents()) {
                stands &= !lock(each) || isUnchanged(look, each);
            }
            return lockEach(trial.documents(), look) && stands;
        }

        /** Whether all this was locked before the look. */
        private boolean lockAll(List<Extent> extents) {
            boolean before = true;
            for (Extent each : extents) {
                before &= !lock(each);
            }
            return before;
        }

        private boolean lockDocuments(Plan plan, Snapshot look) {
            return lockEach(Trial.of(plan, look, interruption).documents(), look);
        }

        private boolean lockEach(List<byte[]> documents, Snapshot look) {
            boolean stands = true;
            for (byte[] key : documents) {
                Extent document = new Extent(Table.DOCUMENTS, KeyRange.point(key));
                stands &= !lock(document) || isUnchanged(look, document);
            }
            return stands;
        }

        /** Whether it was not locked yet. */
        private boolean lock(Extent extent) {
            if (!locked.add(extent)) {
                return false;
            }
            ScanLocks.lock(transaction, extent, mode);
            return true;
        }

        private boolean isUnchanged(Snapshot look, Extent extent) {
            return !transaction.changedSince(look, extent.table(), extent.range());
        }
    }

    /**
     * Locks all that a plan looks at, of one that stops early as far as it goes; says whether what the look shows is as new
     * as that.
     */
    static boolean lockExclusive(
            Transaction transaction, Plan plan, Snapshot look, Set<Extent> locked, Interruption interruption) {
        boolean isLimited = plan.isLimited();
        List<Extent> extents = isLimited ? Trial.of(plan, look, interruption).extents() : plan.extents();
        boolean stands = true;
        for (Extent each : extents) {
            if (locked.add(each)) {
                lock(transaction, each, LockMode.EXCLUSIVE);
                stands &= isLimited && !transaction.changedSince(look, each.table(), each.range());
            }
        }
        return stands;
    }

    private static void lock(Transaction transaction, Extent extent, LockMode mode) {
        // Scans of an index read no marks of arrays, so there is nothing to keep other scans from.
        if (mode == LockMode.SHARED || extent.table() == Table.CATALOG) {
            transaction.lockShared(extent.table(), extent.range());
        } else {
            transaction.lockExclusive(extent.table(), extent.range());
        }
    }
}
