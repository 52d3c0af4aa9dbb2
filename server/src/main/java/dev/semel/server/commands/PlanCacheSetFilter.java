package dev.semel.server.commands;

import dev.semel.query.value.Held;
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
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** {@code planCacheSetFilter}: queries of a shape use these indexes only, whatever they hint at. */
final class PlanCacheSetFilter implements Command<PlanCacheSetFilter.Args> {
    private final Catalog catalog;
    private final IndexFilters filters;
    private final PlanCache cache;
    private final Scopes scopes;

    record Args(Namespace collection, ShapeArgs shape, List<Value> indexes) {}

    PlanCacheSetFilter(Catalog catalog, IndexFilters filters, PlanCache cache, Scopes scopes) {
        this.catalog = catalog;
        this.filters = filters;
        this.cache = cache;
        this.scopes = scopes;
    }

    @Override
    public Spec spec() {
        return Spec.of("planCacheSetFilter")
                .with(Spec.Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCollection(Action.planCacheIndexFilter));
    }

    @Override
    public Args parse(Arguments in) {
        Namespace collection = in.collection("planCacheSetFilter");
        ShapeArgs shape = ShapeArgs.required(in);
        return new Args(collection, shape, indexes(in));
    }

    private static List<Value> indexes(Arguments in) {
        List<Value> indexes = new ArrayList<>();
        switch (in.optional("indexes")) {
            case null -> throw bad("required field indexes missing");
            case Value.Array(RawDocument elements) -> {
                for (var at = elements.cursor(); at.next(); ) {
                    indexes.add(index(at.value()));
                }
            }
            default -> throw bad("field indexes must be an array");
        }
        if (indexes.isEmpty()) {
            throw bad("required field indexes must contain at least one index");
        }
        return indexes;
    }

    private static Value index(Value given) {
        return switch (given) {
            case Value.Str ignored -> Held.copy(given);
            case Value.Doc(RawDocument key) -> {
                if (key.isEmpty()) {
                    throw bad("index specification cannot be empty");
                }
                yield Value.of(key.detached());
            }
            default -> throw bad("each item in indexes must be either an object or a string");
        };
    }

    private static CommandException bad(String why) {
        return new CommandException(ErrorCode.BadValue, "%s", why);
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        Collection collection = catalog.newest(args.collection());
        if (collection == null) {
            throw bad("no such collection");
        }
        QueryShape shape = args.shape().shape(args.collection(), scopes, call);
        filters.set(
                collection.requireDocuments(),
                shape,
                new IndexFilters.IndexFilter(args.shape().given(), args.indexes()));
        cache.clear(collection, shape);
        return Reply.ok();
    }
}
