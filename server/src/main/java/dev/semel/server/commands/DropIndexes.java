package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexSpec;
import dev.semel.server.catalog.KeyPattern;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** {@code dropIndexes}: by name, by names, by key, or all but the one on {@code _id}. */
final class DropIndexes implements Command<DropIndexes.Args> {
    private final Ddl ddl;

    record Args(Namespace collection, Value index) {
        boolean all() {
            return index.equals(Value.of("*"));
        }

        /** Whether it names this index, as far as it is well formed. */
        boolean means(IndexSpec spec) {
            return switch (index) {
                case Value.Str(Text name) -> all() || name.toString().equals(spec.name());
                case Value.Doc(RawDocument key) ->
                    spec.key().fields().equals(KeyPattern.of(key).fields());
                case Value.Array(RawDocument names) -> {
                    boolean any = false;
                    for (var element : names) {
                        any |= element.value().equals(Value.of(spec.name()));
                    }
                    yield any;
                }
                default -> false;
            };
        }
    }

    DropIndexes(Ddl ddl) {
        this.ddl = ddl;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("dropIndexes").alias("deleteIndexes").needs(Rights.onCollection(Action.dropIndex));
    }

    @Override
    public Args parse(Arguments in) {
        Args args = new Args(in.collection(in.path()), in.required("index"));
        in.notHonoured("collectionUUID");
        return args;
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        List<IndexSpec> aborted = ddl.abortBuild(args.collection(), args::means);
        int before = CatalogWork.result(
                ddl.dropIndexes(args.collection(), found -> chosen(found, args, aborted), CatalogWork.scope(call)),
                call);
        BsonWriter out = new BsonWriter().put("nIndexesWas", before);
        if (args.all()) {
            out.put("msg", "non-_id indexes dropped for collection");
        }
        return Reply.of(out);
    }

    private static List<Index> chosen(Collection collection, Args args, List<IndexSpec> aborted) {
        boolean wasBeingBuilt = aborted.stream().anyMatch(each -> collection.index(each.name()) == null);
        if (wasBeingBuilt && !args.all()) {
            return collection.indexes().stream()
                    .filter(each -> !each.isPrimary() && args.means(each.spec()))
                    .toList();
        }
        if (args.all()) {
            return collection.indexes().stream()
                    .filter(each -> !each.isPrimary())
                    .toList();
        }
        List<Index> chosen = new ArrayList<>();
        switch (args.index()) {
            case Value.Str(Text name) -> chosen.add(named(collection, name.toString()));
            case Value.Doc(RawDocument key) -> chosen.add(withKey(collection, key));
            case Value.Array(RawDocument names) -> {
                for (var element : names) {
                    if (!(element.value() instanceof Value.Str(Text name))) {
                        throw wrongType(element.value());
                    }
                    chosen.add(named(collection, name.toString()));
                }
            }
            default -> throw wrongType(args.index());
        }
        return chosen;
    }

    private static CommandException wrongType(Value found) {
        return new CommandException(
                ErrorCode.TypeMismatch,
                "BSON field 'dropIndexes.index' is the wrong type '%s', expected types '[string, object]'",
                found.type().alias());
    }

    private static Index named(Collection collection, String name) {
        Index found = collection.index(name);
        if (found == null) {
            throw new CommandException(ErrorCode.IndexNotFound, "index not found with name [%s]", name);
        }
        return droppable(collection, found);
    }

    private static Index withKey(Collection collection, RawDocument key) {
        List<Index> found = collection.indexesOf(KeyPattern.of(key));
        if (found.isEmpty()) {
            throw new CommandException(ErrorCode.IndexNotFound, "can't find index with key: %s", Shell.text(key));
        }
        if (found.size() > 1) {
            throw new CommandException(
                    ErrorCode.AmbiguousIndexKeyPattern,
                    "%d indexes found for key: %s, identify by name instead. Conflicting indexes: %s, %s",
                    found.size(),
                    Shell.text(key),
                    Shell.text(found.get(0).spec().toDocument()),
                    Shell.text(found.get(1).spec().toDocument()));
        }
        return droppable(collection, found.getFirst());
    }

    private static Index droppable(Collection collection, Index index) {
        if (index.isPrimary() && collection.isClustered()) {
            throw new CommandException(ErrorCode.location(5979800), "It is illegal to drop the clusteredIndex");
        }
        if (index.isPrimary()) {
            throw new CommandException(ErrorCode.InvalidOptions, "cannot drop _id index");
        }
        return index;
    }
}
