package dev.semel.server.commands;

import dev.semel.query.expression.Environment;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Names;
import dev.semel.server.changes.OplogReads;
import dev.semel.server.command.Access;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.cursor.Batch;
import dev.semel.server.cursor.Collected;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.cursor.Opening;
import dev.semel.server.statement.Reads;
import dev.semel.store.Snapshot;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** {@code listCollections}: the collections of a database, with their options. */
final class ListCollections implements Command<ListCollections.Args> {
    private final Catalog catalog;
    private final Reads reads;
    private final Cursors cursors;
    private final OplogReads oplog;
    private final Supplier<Environment> environments;
    private final Access access;

    record Args(String database, Filter filter, boolean nameOnly, boolean onlyAuthorized, Batch batch) {}

    ListCollections(
            Catalog catalog,
            Reads reads,
            Cursors cursors,
            OplogReads oplog,
            Supplier<Environment> environments,
            Access access) {
        this.catalog = catalog;
        this.reads = reads;
        this.cursors = cursors;
        this.oplog = oplog;
        this.environments = environments;
        this.access = access;
    }

    @Override
    public Spec spec() {
        return Spec.of("listCollections").with(Spec.Trait.READS_CATALOG).needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        Names.checkDatabase(in.database());
        in.ignored("listCollections");
        return new Args(
                in.database(),
                Filters.parse(in.documentOrEmpty("filter"), new FilterScope(environments.get())),
                in.bool("nameOnly", false),
                in.bool("authorizedCollections", false),
                ListBatch.batch(in));
    }

    /** Users may list the names of the collections that they may use. */
    @Override
    public List<Privilege> demands(Args args, Call call) {
        return args.nameOnly() && args.onlyAuthorized()
                ? List.of()
                : List.of(Privilege.onDatabase(args.database(), Action.listCollections));
    }

    @Override
    public Reply run(Args args, Call call) {
        List<RawDocument> found = new ArrayList<>();
        try (Snapshot snapshot = reads.open(call)) {
            for (Collection each : catalog.collections(args.database(), snapshot)) {
                RawDocument described = describe(each, args.nameOnly());
                if (isShown(each.namespace(), args, call) && args.filter().matches(described)) {
                    found.add(described);
                }
            }
        }
        Namespace log = new Namespace(args.database(), OplogReads.NAMESPACE.collection());
        if (oplog.has(log) && isShown(log, args, call)) {
            RawDocument described = oplog.listed(args.nameOnly());
            if (args.filter().matches(described)) {
                found.add(described);
            }
        }
        BsonWriter reply = new BsonWriter();
        Namespace namespace = new Namespace(args.database(), "$cmd.listCollections");
        cursors.open(reply, Opening.of(namespace, args.batch()), new Collected(found), call);
        return Reply.of(reply);
    }

    private boolean isShown(Namespace collection, Args args, Call call) {
        return !args.onlyAuthorized() || access.privileges(call.client()).reach(collection);
    }

    private static String type(Collection collection) {
        if (collection.view() != null) {
            return "view";
        }
        return collection.timeSeries() == null ? "collection" : "timeseries";
    }

    private static RawDocument describe(Collection collection, boolean nameOnly) {
        BsonWriter out = new BsonWriter()
                .put("name", collection.namespace().collection())
                .put("type", type(collection));
        if (nameOnly) {
            return out.finish();
        }
        if (collection.view() != null) {
            return out.put("options", collection.options())
                    .startDocument("info")
                    .put("readOnly", true)
                    .end()
                    .finish();
        }
        out.put("options", collection.options())
                .startDocument("info")
                .put("readOnly", false)
                .put("uuid", collection.uuidValue())
                .end();
        if (collection.isClustered() || collection.timeSeries() != null) {
            return out.finish();
        }
        return out.put("idIndex", collection.indexes().getFirst().spec().toDocument())
                .finish();
    }
}
