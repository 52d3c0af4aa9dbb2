package dev.semel.server.commands;

import dev.semel.query.pipeline.Others;
import dev.semel.query.pipeline.Pipelines;
import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.catalog.Capped;
import dev.semel.server.catalog.CollectionOptions;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.catalog.KeyPattern;
import dev.semel.server.catalog.TimeSeries;
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
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code create}: makes a collection before its first document does. */
final class Create implements Command<Create.Args> {
    private static final String[] OF_COLLECTIONS = {
        "capped",
        "size",
        "max",
        "validator",
        "validationLevel",
        "validationAction",
        "changeStreamPreAndPostImages",
        "clusteredIndex",
        "timeseries"
    };

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
        Capped capped = capped(in);
        in.notHonoured("encryptedFields", "temp");
        Options.checkStorageEngine(in.optionalDocument("storageEngine"));
        indexDefaults(in);
        TimeSeries timeSeries = TimeSeriesArgs.parse(in);
        in.ignored("autoIndexId", "idIndex", "flags");
        RawDocument validator = in.optionalDocument("validator");
        String level = in.string("validationLevel");
        String action = in.string("validationAction");
        CollectionOptions.checkValidation("create", level, action);
        View view = Options.view(in);
        if (view != null) {
            refuseOnView(in, OF_COLLECTIONS);
        }
        return new Args(
                collection,
                new CollectionOptions(
                        validator == null ? null : validator.detached(),
                        level,
                        action,
                        Options.images(in),
                        Options.collation(in),
                        view,
                        capped,
                        clustered(in, capped),
                        timeSeries));
    }

    private static @Nullable Capped capped(Arguments in) {
        boolean capped = in.bool("capped", false);
        if (!capped) {
            if (in.has("size") || in.has("max")) {
                throw new CommandException(
                        ErrorCode.InvalidOptions,
                        "the 'capped' field needs to be true when either the 'size' or 'max' fields are present");
            }
            return null;
        }
        if (!in.has("size")) {
            throw new CommandException(ErrorCode.InvalidOptions, "the 'size' field is required when 'capped' is true");
        }
        return new Capped(in.atLeast("size", 1, 1), Math.max(0, in.integer("max", 0)));
    }

    /** How another engine is to store: checked, and without effect. */
    private static void indexDefaults(Arguments in) {
        RawDocument defaults = in.optionalDocument("indexOptionDefaults");
        if (defaults != null) {
            Arguments fields = in.inner("indexOptionDefaults", defaults);
            Options.checkStorageEngine(fields.optionalDocument("storageEngine"));
            fields.refuseUnknown();
        }
    }

    /** The name of the index; documents always lie in the order of {@code _id}. */
    private static @Nullable String clustered(Arguments in, @Nullable Capped capped) {
        Value given = in.optional("clusteredIndex");
        if (given == null || given.equals(Value.FALSE)) {
            return null;
        }
        if (!(given instanceof Value.Doc(RawDocument index))) {
            throw in.wrongType("clusteredIndex", given, "'object'");
        }
        Arguments options = in.inner("clusteredIndex", index);
        boolean onId = KeyPattern.of(options.requiredDocument("key")).fields().equals(KeyPattern.ID.fields());
        if (!onId) {
            throw new CommandException(
                    ErrorCode.InvalidIndexSpecificationOption,
                    "The clusteredIndex option is only supported with key: {_id: 1}");
        }
        options.required("unique");
        if (!options.bool("unique", false)) {
            throw new CommandException(
                    ErrorCode.CannotCreateIndex, "The clusteredIndex option requires unique: true to be specified");
        }
        if (options.integer("v", 2) != 2) {
            throw new CommandException(ErrorCode.CannotCreateIndex, "The clusteredIndex option only supports v: 2");
        }
        String name = options.string("name");
        options.refuseUnknown();
        if (capped != null) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "a capped collection keeps the order of insertion, not that of _id");
        }
        return name == null ? "_id_" : name;
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
            Pipelines.parse(
                    view.stages(), scopes.forCall(RawDocument.EMPTY, null, args.collection(), call), Others.UNREAD);
        }
        boolean isNew =
                CatalogWork.result(ddl.create(args.collection(), args.options(), CatalogWork.scope(call)), call);
        if (!isNew && call.transaction() != null) {
            throw new CommandException(ErrorCode.NamespaceExists, "Collection %s already exists.", args.collection());
        }
        return Reply.ok();
    }
}
