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
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;

/** {@code planCacheListFilters}: to which indexes the queries of a collection are limited. */
final class PlanCacheListFilters implements Command<Namespace> {
    private final Catalog catalog;
    private final IndexFilters filters;

    PlanCacheListFilters(Catalog catalog, IndexFilters filters) {
        this.catalog = catalog;
        this.filters = filters;
    }

    @Override
    public Spec spec() {
        return Spec.of("planCacheListFilters")
                .with(Spec.Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCollection(Action.planCacheIndexFilter));
    }

    @Override
    public Namespace parse(Arguments in) {
        return in.collection("planCacheListFilters");
    }

    @Override
    public Reply run(Namespace namespace, Call call) {
        call.worksOn(namespace);
        BsonWriter out = new BsonWriter().startArray("filters");
        Collection collection = catalog.newest(namespace);
        if (collection != null) {
            for (IndexFilters.IndexFilter each : filters.of(collection)) {
                out.startDocument().copyAll(each.given()).startArray("indexes");
                each.indexes().forEach(out::add);
                out.end().end();
            }
        }
        return Reply.of(out.end());
    }
}
