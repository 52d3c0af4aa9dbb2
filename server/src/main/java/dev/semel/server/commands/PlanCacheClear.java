package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.plan.PlanCache;
import dev.semel.server.statement.Scopes;
import dev.semel.wire.Namespace;
import org.jspecify.annotations.Nullable;

/** {@code planCacheClear}: forgets which plans have won, for queries of one shape or for all of a collection. */
final class PlanCacheClear implements Command<PlanCacheClear.Args> {
    private final Catalog catalog;
    private final PlanCache cache;
    private final Scopes scopes;

    record Args(Namespace collection, @Nullable ShapeArgs shape) {}

    PlanCacheClear(Catalog catalog, PlanCache cache, Scopes scopes) {
        this.catalog = catalog;
        this.cache = cache;
        this.scopes = scopes;
    }

    @Override
    public Spec spec() {
        return Spec.of("planCacheClear")
                .with(Spec.Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCollection(Action.planCacheWrite));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(in.collection("planCacheClear"), ShapeArgs.optional(in));
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        Collection collection = catalog.newest(args.collection());
        ShapeArgs shape = args.shape();
        if (collection != null && shape != null) {
            cache.clear(collection, shape.shape(args.collection(), scopes, call));
        } else if (collection != null) {
            cache.clear(collection);
        }
        return Reply.ok();
    }
}
