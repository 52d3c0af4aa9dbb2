package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.catalog.CappedCopies;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.Namespace;
import java.util.List;

/** {@code cloneCollectionAsCapped}: a capped copy of a collection, beside it. */
final class CloneCollectionAsCapped implements Command<CloneCollectionAsCapped.Args> {
    private final CappedCopies copies;

    record Args(Namespace from, Namespace to, long bytesMax) {}

    CloneCollectionAsCapped(CappedCopies copies) {
        this.copies = copies;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("cloneCollectionAsCapped")
                .with(Spec.Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        Namespace from = in.collection("cloneCollectionAsCapped");
        Namespace to = Arguments.namespace(in.database(), in.requiredString("toCollection"));
        in.required("size");
        return new Args(from, to, in.atLeast("size", 1, 1));
    }

    @Override
    public List<Privilege> demands(Args args, Call call) {
        return List.of(
                Privilege.onCollection(args.from(), Action.find),
                Privilege.onCollection(args.to(), Action.insert, Action.createIndex, Action.convertToCapped));
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.from());
        CatalogWork.result(copies.copy(args.from(), args.to(), args.bytesMax(), call.interruption()), call);
        return Reply.ok();
    }
}
