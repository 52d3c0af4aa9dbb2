package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.Namespace;

/** {@code planCacheClear}: every query is planned anew as it is, so that there is nothing to forget. */
final class PlanCacheClear implements Command<Namespace> {
    @Override
    public Spec spec() {
        return Spec.of("planCacheClear")
                .with(Spec.Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCollection(Action.planCacheWrite));
    }

    @Override
    public Namespace parse(Arguments in) {
        Namespace collection = in.collection("planCacheClear");
        ShapeArgs.optional(in);
        return collection;
    }

    @Override
    public Reply run(Namespace collection, Call call) {
        call.worksOn(collection);
        return Reply.ok();
    }
}
