package dev.semel.server.commands;

import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.projection.Projection;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.InsertionOrder;
import dev.semel.server.changes.OplogReads;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.cursor.Collected;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.cursor.Documents;
import dev.semel.server.cursor.Found;
import dev.semel.server.cursor.Tail;
import dev.semel.server.cursor.TailWindow;
import dev.semel.server.follow.Followers;
import dev.semel.server.follow.Interest;
import dev.semel.server.plan.Query;
import dev.semel.server.plan.Run;
import dev.semel.server.statement.CappedTail;
import dev.semel.server.statement.Planned;
import dev.semel.server.statement.Reads;
import dev.semel.server.statement.Scopes;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transactions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** {@code find}: the documents that match, in batches. */
final class Find implements Command<FindArgs> {
    /** What a reply has beside its documents: a name, times, their own names. */
    private static final int AROUND_BYTES = 512;

    private final Catalog catalog;
    private final Transactions transactions;
    private final Followers followers;
    private final Cursors cursors;
    private final Reads reads;
    private final ReadSources sources;
    private final Piping piping;
    private final Scopes scopes;
    private final OplogReads oplog;
    private final BooleanSupplier diskUseByDefault;

    Find(
            Catalog catalog,
            Transactions transactions,
            Followers followers,
            Cursors cursors,
            Reads reads,
            ReadSources sources,
            Piping piping,
            Scopes scopes,
            OplogReads oplog,
            BooleanSupplier diskUseByDefault) {
        this.catalog = catalog;
        this.transactions = transactions;
        this.followers = followers;
        this.cursors = cursors;
        this.reads = reads;
        this.sources = sources;
        this.piping = piping;
        this.scopes = scopes;
        this.oplog = oplog;
        this.diskUseByDefault = diskUseByDefault;
    }

    @Override
    public Spec spec() {
        return Spec.read("find").with(Trait.SNAPSHOT_READ, Trait.COUNTS_ITSELF, Trait.RESTARTABLE);
    }

    @Override
    public FindArgs parse(Arguments in) {
        return FindArgs.parse(in, diskUseByDefault);
    }

    @Override
    public Reply run(FindArgs args, Call call) {
        call.worksOn(args.collection());
        call.count(call.counters().queries);
        if (args.tailable()) {
            Tails.refuseInside(call);
        }
        ReadSource from = sources.resolve(args.collection(), args.collation());
        return switch (from) {
            case ReadSource.Stored stored when args.tailable() -> tail(args, call);
            case ReadSource.Stored stored -> stored(args, call);
            case ReadSource.Oplog() -> entries(args, call);
            case ReadSource.View view -> {
                args.checkForView();
                yield piped(args, from, call);
            }
            case ReadSource.Records records -> {
                args.checkForRecords();
                yield piped(args, from, call);
            }
        };
    }

    private Reply stored(FindArgs args, Call call) {
        Value id = args.onlyId();
        return id == null || reads.locks(call) ? select(args, call) : byId(args, id, call);
    }

    /** The operation log is no collection of the catalog. */
    private Reply entries(FindArgs args, Call call) {
        CurrentCall current = new CurrentCall(call);
        FilterScope scope = scopes.forResult(args.let(), args.collation(), args.collection(), current);
        Documents documents = args.tailable()
                ? TailWindow.of(
                        oplog.tail(args.search(), args.awaitData(), scope, current, call), args.skip(), args.limit())
                : oplog.find(args.search(), scope, current, call);
        BsonWriter reply = new BsonWriter(4096);
        cursors.open(reply, args.opening(), documents, call);
        return Reply.of(reply);
    }

    /** Of a capped collection; one without documents has none behind which others could come. */
    private Reply tail(FindArgs args, Call call) {
        Collection collection = catalog.newest(args.collection());
        InsertionOrder order = collection == null ? null : collection.order();
        if (collection != null && order == null) {
            throw args.notCapped();
        }
        args.checkForTail(call);
        CurrentCall current = new CurrentCall(call);
        FilterScope scope = scopes.forResult(args.let(), args.collation(), args.collection(), current);
        Filter filter = Filters.parse(args.filter(), scope);
        Documents documents;
        if (collection == null
                || order == null
                || collection.size(call.interruption()).documents() == 0) {
            documents = new Collected(List.of());
        } else {
            call.planned(() -> "COLLSCAN");
            Tail all = new CappedTail(
                    transactions,
                    followers.follow(new Interest.OfCollection(collection.namespace())),
                    catalog,
                    collection,
                    order,
                    filter,
                    args.shapeOfDocument(filter, scope),
                    args.awaitData(),
                    current);
            documents = TailWindow.of(all, args.skip(), args.limit());
        }
        BsonWriter reply = new BsonWriter(4096);
        cursors.open(reply, args.opening(), documents, call);
        return Reply.of(reply);
    }

    // ---- one document by its _id

    /** The most frequent command of all: no filter to parse, nothing to plan, nothing to keep. */
    private Reply byId(FindArgs args, Value id, Call call) {
        BsonWriter reply;
        try (Snapshot snapshot = reads.open(call)) {
            Collection collection = reads.find(args.collection(), snapshot, call);
            if (collection != null && collection.timeSeries() != null) {
                return select(args, call);
            }
            byte[] found = collection == null ? null : snapshot.get(Table.DOCUMENTS, collection.key(id));
            reply = new BsonWriter(AROUND_BYTES + (found == null ? 0 : found.length));
            reply.startDocument("cursor").startArray("firstBatch");
            call.examined(1, found == null ? 0 : 1);
            if (collection != null) {
                call.count(call.counters()
                        .indexUses
                        .of(collection.indexes().getFirst().number()));
            }
            if (found != null) {
                reply.add(RawDocument.of(found));
                call.count(call.counters().documentsReturned);
            }
            reply.end();
            long named = Reads.named(snapshot, call);
            if (named != 0) {
                reply.put("atClusterTime", new Value.Timestamp(named));
            }
        }
        reply.put("id", 0L).put("ns", args.collection().toString()).end();
        return Reply.of(reply);
    }

    // ---- what is no collection

    private Reply piped(FindArgs args, ReadSource from, Call call) {
        CurrentCall current = new CurrentCall(call);
        FilterScope scope = scopes.forResult(args.let(), args.collation(), args.collection(), current);
        Piping.Result result = piping.open(from, args.stages(), args.hint(), scope, current, args.allowDiskUse(), call);
        BsonWriter reply = new BsonWriter(4096);
        cursors.open(reply, args.opening().at(result.atClusterTime()), result.documents(), call);
        return Reply.of(reply);
    }

    // ---- any other

    private Reply select(FindArgs args, Call call) {
        CurrentCall current = new CurrentCall(call);
        FilterScope scope = scopes.forResult(args.let(), args.collation(), args.collection(), current);
        Filter filter = Filters.parseSearch(args.filter(), scope);
        Projection shown = args.shown(filter, scope);
        Function<Run, RawDocument> shape = args.shape(filter, shown, scope);
        Query query = args.query(filter, shown, scope);
        Planned planned = reads.plan(args.collection(), query, call);
        Snapshot snapshot = planned.snapshot();
        Documents documents;
        if (planned.collection() == null) {
            planned.close();
            documents = new Collected(List.of());
        } else {
            call.planned(planned.plan()::summary);
            documents = new Found(planned.decision(), snapshot, current, shape, args.limit());
        }
        BsonWriter reply = new BsonWriter(4096);
        cursors.open(reply, args.opening().at(Reads.named(snapshot, call)), documents, call);
        return Reply.of(reply);
    }
}
