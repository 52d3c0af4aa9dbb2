package dev.semel.server.commands;

import dev.semel.query.pipeline.Pipelines;
import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.catalog.CollectionOptions;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.catalog.View;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.statement.Scopes;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;

/** {@code create}: makes a collection before its first document does. */
final class Create implements Command<Create.Args> {
    private final Ddl ddl;
    private final Scopes scopes;

    record Args(Namespace collection, CollectionOptions options) {}

    Create(Ddl ddl, Scopes scopes) {
        this.ddl = ddl;
        this.scopes = scopes;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("create").with(Spec.Trait.IN_TRANSACTION).needs(Rights.BY_ARGUMENTS);
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
                "timeseries",
                "clusteredIndex",
                "expireAfterSeconds",
                "encryptedFields",
                "storageEngine",
                "indexOptionDefaults",
                "temp");
        in.ignored("autoIndexId", "idIndex", "flags");
        RawDocument validator = in.optionalDocument("validator");
        View view = Options.view(in);
        if (view != null) {
            refuseOnView(in, "validator", "validationLevel", "validationAction", "changeStreamPreAndPostImages");
        }
        return new Args(
                collection,
                new CollectionOptions(
                        validator == null ? null : validator.detached(),
                        in.string("validationLevel"),
                        in.string("validationAction"),
                        Options.images(in),
                        Options.collation(in),
                        view));
    }

    private static void refuseOnView(Arguments in, String... options) {
        for (String option : options) {
            if (in.has(option)) {
                throw new CommandException(ErrorCode.InvalidOptions, "option not supported on a view: %s", option);
            }
        }
    }

    @Override
    public List<Privilege> demands(Args args, Call call) {
        List<Privilege> demands = new ArrayList<>();
        demands.add(Privilege.onCollection(args.collection(), Action.createCollection));
        View view = args.options().view();
        if (view != null) {
            demands.addAll(PipelineRights.of(args.collection(), view));
        }
        return demands;
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        View view = args.options().view();
        if (view != null) {
            Pipelines.parse(view.stages(), scopes.forCall(RawDocument.EMPTY, null, args.collection(), call));
        }
        CatalogWork.result(ddl.create(args.collection(), args.options(), CatalogWork.scope(call)), call);
        return Reply.ok();
    }
}
