package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.IndexBuilds;
import dev.semel.server.catalog.IndexSpec;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.session.OpenTransaction;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** {@code createIndexes}: all of them or, if one cannot be made, none. */
final class CreateIndexes implements Command<CreateIndexes.Args> {
    private static final Value QUORUM = Value.of("votingMembers");

    private final IndexBuilds builds;

    record Args(Namespace collection, List<IndexSpec> indexes, Value quorum) {}

    CreateIndexes(IndexBuilds builds) {
        this.builds = builds;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("createIndexes").with(Spec.Trait.IN_TRANSACTION).needs(Rights.onCollection(Action.createIndex));
    }

    @Override
    public Args parse(Arguments in) {
        Namespace collection = in.collection("createIndexes");
        List<IndexSpec> indexes = new ArrayList<>();
        boolean isStrict = in.strictBool("apiStrict", false);
        boolean ignoresUnknown = in.bool("ignoreUnknownIndexOptions", false);
        for (RawDocument given : in.documents("indexes")) {
            RawDocument spec = ignoresUnknown ? IndexSpec.withoutUnknown(given) : given.detached();
            if (isStrict && isOnText(spec)) {
                throw IndexSpec.wrong(
                        spec,
                        new CommandException(
                                ErrorCode.APIStrictError, "text indexes cannot be created with apiStrict: true"));
            }
            indexes.add(IndexSpec.parse(spec));
            if (!spec.has("name")) {
                throw IndexSpec.wrong(
                        spec,
                        new CommandException(
                                ErrorCode.FailedToParse,
                                "The 'name' field is a required property of an index specification"));
            }
        }
        if (indexes.isEmpty()) {
            throw new CommandException(ErrorCode.BadValue, "Must specify at least one index to create");
        }
        // It has no effect: an index is there for every member at the same place in the order of commits.
        Value quorum = in.optional("commitQuorum");
        return new Args(collection, indexes, quorum == null ? QUORUM : quorum);
    }

    private static boolean isOnText(RawDocument spec) {
        if (spec.get("key") instanceof Value.Doc(RawDocument key)) {
            for (Element field : key) {
                if (field.value().equals(Value.of("text"))) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        OpenTransaction inside = call.transaction();
        if (inside != null
                && call.isInSessionTransaction()
                && builds.changesExisting(args.collection(), args.indexes(), inside.transaction())) {
            // TokuMX transactions may take long; here every lock has to be short.
            throw new CommandException(
                    ErrorCode.OperationNotSupportedInTransaction,
                    "Cannot create new indexes on existing collection %s in a multi-document transaction.",
                    args.collection());
        }
        IndexBuilds.Result result =
                CatalogWork.result(builds.create(args.collection(), args.indexes(), CatalogWork.scope(call)), call);
        BsonWriter out = new BsonWriter()
                .put("numIndexesBefore", result.before())
                .put("numIndexesAfter", result.after())
                .put("createdCollectionAutomatically", result.createdCollection());
        if (result.readDocuments()) {
            out.put("commitQuorum", args.quorum());
        }
        if (result.before() == result.after()) {
            out.put("note", "all indexes already exist");
        }
        return Reply.of(out);
    }
}
