package dev.semel.server.statement;

import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Sizes;
import dev.semel.server.command.Call;
import dev.semel.server.command.ReadConcern;
import dev.semel.server.plan.Planner;
import dev.semel.server.plan.Query;
import dev.semel.server.session.OpenTransaction;
import dev.semel.store.Isolation;
import dev.semel.store.Snapshot;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.LockMode;
import dev.semel.wire.Namespace;
import org.jspecify.annotations.Nullable;

/** Opens what a read command reads: its transaction's view, the newest state, or that of the time it names. */
public final class Reads {
    private final Transactions transactions;
    private final Catalog catalog;
    private final Planner planner;
    private final ScanLocks scanLocks;

    public Reads(Transactions transactions, Catalog catalog, Planner planner) {
        this.transactions = transactions;
        this.catalog = catalog;
        this.planner = planner;
        this.scanLocks = new ScanLocks(catalog, planner);
    }

    /** Whether what is read has to be locked, which only {@link #plan} does. */
    public boolean locks(Call call) {
        OpenTransaction inside = call.transaction();
        return inside != null && inside.transaction().isolation() == Isolation.SERIALIZABLE;
    }

    /** Opens what a query reads and plans it. A serializable transaction has locked by then what the plan will look at. */
    public Planned plan(Namespace namespace, Query query, Call call) {
        OpenTransaction inside = call.transaction();
        if (inside != null && locks(call)) {
            return counted(
                    scanLocks.settle(inside.transaction(), namespace, query, LockMode.SHARED, call.interruption()),
                    call);
        }
        Snapshot snapshot = open(call);
        boolean planned = false;
        try {
            Planned result = plan(namespace, query, snapshot, call);
            planned = true;
            return result;
        } finally {
            if (!planned) {
                snapshot.close();
            }
        }
    }

    /** Plans a query in a snapshot that is open already. */
    public Planned plan(Namespace namespace, Query query, Snapshot snapshot, Call call) {
        Collection collection = find(namespace, snapshot, call);
        if (collection == null) {
            Planner.requireNoIndex(namespace, query);
        }
        return counted(
                new Planned(snapshot, collection, planner.decide(collection, query, snapshot, call.interruption())),
                call);
    }

    private static Planned counted(Planned planned, Call call) {
        planned.plan()
                .indexes()
                .forEach(each -> call.count(call.counters().indexUses.of(each.number())));
        return planned;
    }

    /**
     * The collection of this name. A session's transaction keeps seeing one that others drop or rename, so it gets a write
     * conflict: at the next statement on it, or when it commits what it has written knowing of it.
     */
    public @Nullable Collection find(Namespace namespace, Snapshot snapshot, Call call) {
        Collection found = catalog.find(namespace, snapshot);
        OpenTransaction inside = call.transaction();
        if (found != null && inside != null && inside.dialect() == OpenTransaction.Dialect.SESSION) {
            Transaction transaction = inside.transaction();
            catalog.locks().requireStill(found, transaction);
            inside.dependsOn(found.number(), () -> catalog.locks().requireStill(found, transaction));
        }
        return found;
    }

    /** The caller closes it. */
    public Snapshot open(Call call) {
        OpenTransaction inside = call.transaction();
        if (inside != null) {
            return inside.transaction().view();
        }
        ReadConcern concern = call.readConcern();
        Snapshot snapshot;
        if (concern.atClusterTime() != 0) {
            snapshot = transactions.snapshotAt(concern.atClusterTime());
        } else if (concern.level() == ReadConcern.Level.SNAPSHOT) {
            snapshot = transactions.namedSnapshot();
        } else {
            snapshot = transactions.snapshot();
        }
        call.saw(snapshot);
        return snapshot;
    }

    /**
     * How large a collection is, as the command sees it: in a transaction with the transaction's own changes; null is an
     * empty one.
     *
     * @param seen what {@link #open} has opened
     */
    public static Sizes.Total size(@Nullable Collection collection, Snapshot seen, Call call) {
        if (collection == null) {
            return new Sizes.Total(0, 0);
        }
        OpenTransaction inside = call.transaction();
        if (inside == null) {
            return collection.size(call.interruption());
        }
        return switch (inside.transaction().isolation()) {
            case STATEMENT, SERIALIZABLE -> collection.size(inside.transaction(), call.interruption());
            // What commits keep up is the newest committed state, which such a transaction does not see.
            case SNAPSHOT, READ_UNCOMMITTED -> collection.size(seen, call.interruption());
        };
    }

    /** The time to be named to a client that asked for a snapshot, so that others can read the same one; 0 otherwise. */
    public static long named(Snapshot snapshot, Call call) {
        ReadConcern concern = call.readConcern();
        if (call.transaction() != null || concern.level() != ReadConcern.Level.SNAPSHOT) {
            return 0;
        }
        return concern.atClusterTime() != 0 ? concern.atClusterTime() : snapshot.clusterTime();
    }
}
