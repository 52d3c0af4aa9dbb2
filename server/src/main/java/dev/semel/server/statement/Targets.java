package dev.semel.server.statement;

import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.update.Update;
import dev.semel.query.update.Updates;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.command.Call;
import dev.semel.server.plan.Decision;
import dev.semel.server.plan.Extent;
import dev.semel.server.plan.Plan;
import dev.semel.server.plan.Planner;
import dev.semel.server.plan.Query;
import dev.semel.store.Isolation;
import dev.semel.store.Snapshot;
import dev.semel.store.Transaction;
import dev.semel.store.lock.LockMode;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Understands the statements that change and remove documents. */
public final class Targets {
    private final Catalog catalog;
    private final Planner planner;
    private final ScanLocks scanLocks;
    private final Scopes scopes;
    private final ObjectIds ids;

    public Targets(Catalog catalog, Planner planner, Scopes scopes, ObjectIds ids) {
        this.catalog = catalog;
        this.scanLocks = new ScanLocks(catalog, planner);
        this.planner = planner;
        this.scopes = scopes;
        this.ids = ids;
    }

    public Target parse(Write.Delete delete, Call call) {
        FilterScope scope = scopes.forCall(delete.let(), delete.collation(), delete.collection(), call);
        return target(delete.filter(), delete.sort(), delete.hint(), delete.multi(), scope);
    }

    public Change parse(Write.Update update, Call call) {
        check(update);
        FilterScope scope = scopes.forCall(update.let(), update.collation(), update.collection(), call);
        Target target = target(update.filter(), update.sort(), update.hint(), update.multi(), scope);
        Update change = Updates.parse(
                update.modification(),
                update.arrayFilters(),
                scopes.forUpdate(scope, update.constants(), update.bypass()));
        if (update.multi() && change instanceof Update.Replacement) {
            throw new CommandException(
                    ErrorCode.FailedToParse, "multi update is not supported for replacement-style update");
        }
        return new Change(
                update.collection(), target, change, update.upsert(), update.suppliedNew(), update.bypass(), ids);
    }

    private static void check(Write.Update update) {
        boolean pipeline = update.modification() instanceof Value.Array;
        if (!pipeline && !update.constants().isEmpty()) {
            throw new CommandException(
                    ErrorCode.location(51198), "Constant values may only be specified for pipeline updates");
        }
        if (pipeline && !update.arrayFilters().isEmpty()) {
            throw new CommandException(
                    ErrorCode.FailedToParse, "arrayFilters may not be specified for pipeline-style updates");
        }
        if (update.multi() && !update.sort().isEmpty()) {
            throw new CommandException(ErrorCode.FailedToParse, "Cannot specify sort with multi=true");
        }
    }

    private static Target target(
            RawDocument filter, RawDocument sort, @Nullable Value hint, boolean multi, FilterScope scope) {
        Filter parsed = Filters.parseSearch(filter, scope);
        Query query = Sorting.of(Query.of(parsed).hinted(hint), sort, scope.collation());
        boolean isPlain = hint == null && sort.isEmpty();
        return new Target(
                multi ? query : query.window(0, 1),
                IdEquality.of(filter),
                isPlain ? IdEquality.only(filter) : null,
                scope.collation());
    }

    /** The documents that are meant. What a transaction of several statements scans for all of them is locked first. */
    Candidates open(Transaction transaction, Target target, Collection collection, Call call) {
        if (transaction.isolation() == Isolation.SERIALIZABLE) {
            Planned settled = scanLocks.settle(
                    transaction, collection.namespace(), target.query(), LockMode.EXCLUSIVE, call.interruption());
            return new Candidates(transaction, settled.snapshot(), settled.decision(), call);
        }
        boolean locksScan = transaction.kind() == LockPolicy.Kind.TOKUMX_TRANSACTION;
        Set<Extent> locked = new HashSet<>();
        while (true) {
            Snapshot look =
                    transaction.isolation() == Isolation.READ_UNCOMMITTED ? transaction.latest() : transaction.view();
            boolean kept = false;
            Decision decision = null;
            try {
                decision = planner.decide(
                        asSeen(collection, look, transaction), target.query(), look, call.interruption());
                Plan plan = decision.plan();
                boolean isCurrent = !locksScan
                        || ScanLocks.lockExclusive(transaction, plan, look, locked, call.interruption())
                        || transaction.isolation() == Isolation.SNAPSHOT;
                if (isCurrent) {
                    kept = true;
                    plan.indexes()
                            .forEach(
                                    each -> call.count(call.counters().indexUses.of(each.number())));
                    return new Candidates(transaction, look, decision, call);
                }
            } finally {
                if (!kept) {
                    if (decision != null) {
                        decision.close();
                    }
                    look.close();
                }
            }
        }
    }

    /** Indexes that are newer than a transaction's snapshot have no entries in it. */
    private Collection asSeen(Collection newest, Snapshot look, Transaction transaction) {
        return transaction.isolation() == Isolation.SNAPSHOT ? catalog.require(newest.namespace(), look) : newest;
    }
}
