package dev.semel.server.commands;

import dev.semel.server.catalog.CollectionOptions;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;

/** {@code create}: makes a collection before its first document does. */
final class Create implements Command<Create.Args> {
    private final Ddl ddl;

    record Args(Namespace collection, CollectionOptions options) {}

    Create(Ddl ddl) {
        this.ddl = ddl;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("create").with(Spec.Trait.IN_TRANSACTION);
    }

    @Override
    public Args parse(Arguments in) {
        Namespace collection = in.collection("create");
        boolean capped = in.bool("capped", false);
        if (capped) {
            in.notHonoured("capped");
        }
        in.notHonoured(
                "size",
                "max",
                "viewOn",
                "pipeline",
                "timeseries",
                "clusteredIndex",
                "expireAfterSeconds",
                "encryptedFields",
                "storageEngine",
                "indexOptionDefaults",
                "temp");
        in.ignored("autoIndexId", "idIndex", "flags");
        RawDocument validator = in.optionalDocument("validator");
        return new Args(
                collection,
                new CollectionOptions(
                        validator == null ? null : validator.detached(),
                        in.string("validationLevel"),
                        in.string("validationAction"),
                        Options.images(in),
                        Options.collation(in)));
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        CatalogWork.result(ddl.create(args.collection(), args.options(), CatalogWork.scope(call)), call);
        return Reply.ok();
    }
}
