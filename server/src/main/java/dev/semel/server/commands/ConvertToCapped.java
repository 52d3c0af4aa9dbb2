package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.CappedCopies;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.Namespace;

/** {@code convertToCapped}: keeps the newest documents of a collection that fit into the given size. */
final class ConvertToCapped implements Command<ConvertToCapped.Args> {
    private final CappedCopies copies;

    record Args(Namespace collection, long bytesMax) {}

    ConvertToCapped(CappedCopies copies) {
        this.copies = copies;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("convertToCapped")
                .with(Spec.Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCollection(Action.convertToCapped));
    }

    @Override
    public Args parse(Arguments in) {
        Namespace collection = in.collection("convertToCapped");
        in.required("size");
        return new Args(collection, in.atLeast("size", 1, 1));
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        CatalogWork.result(copies.convert(args.collection(), args.bytesMax(), call.interruption()), call);
        return Reply.ok();
    }
}
