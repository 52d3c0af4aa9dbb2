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
import dev.semel.server.plan.IndexFilters;
import dev.semel.server.plan.PlanCache;
import dev.semel.server.plan.QueryShape;
import dev.semel.server.statement.Scopes;
import dev.semel.wire.Namespace;
import org.jspecify.annotations.Nullable;

/** {@code planCacheClearFilters}: takes back the limits of one shape of queries, or of all. */
final class PlanCacheClearFilters implements Command<PlanCacheClearFilters.Args> {
    private final Catalog catalog;
    private final IndexFilters filters;
    private final PlanCache cache;
    private final Scopes scopes;

    record Args(Namespace collection, @Nullable ShapeArgs shape) {}

    PlanCacheClearFilters(Catalog catalog, IndexFilters filters, PlanCache cache, Scopes scopes) {
        this.catalog = catalog;
        this.filters = filters;
        this.cache = cache;
        this.scopes = scopes;
    }

    @Override
    public Spec spec() {
        return Spec.of("planCacheClearFilters")
                .with(Spec.Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCollection(Action.planCacheIndexFilter));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(in.collection("planCacheClearFilters"), ShapeArgs.optional(in));
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        Collection collection = catalog.newest(args.collection());
        ShapeArgs shape = args.shape();
        if (collection != null && shape != null) {
            QueryShape of = shape.shape(args.collection(), scopes, call);
            filters.remove(collection, of);
            cache.clear(collection, of);
        } else if (collection != null) {
            filters.removeAll(collection);
            cache.clear(collection);
        }
        return Reply.ok();
    }
}
