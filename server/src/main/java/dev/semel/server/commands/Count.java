package dev.semel.server.commands;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.changes.OplogReads;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Documents;
import dev.semel.server.plan.Query;
import dev.semel.server.plan.Run;
import dev.semel.server.statement.Planned;
import dev.semel.server.statement.Reads;
import dev.semel.server.statement.Scopes;
import dev.semel.store.Snapshot;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;

/** {@code count}: how many documents match. */
final class Count implements Command<CountArgs> {
    private final Catalog catalog;
    private final Reads reads;
    private final ReadSources sources;
    private final Piping piping;
    private final Scopes scopes;
    private final OplogReads oplog;

    Count(Catalog catalog, Reads reads, ReadSources sources, Piping piping, Scopes scopes, OplogReads oplog) {
        this.catalog = catalog;
        this.reads = reads;
        this.sources = sources;
        this.piping = piping;
        this.scopes = scopes;
        this.oplog = oplog;
    }

    @Override
    public Spec spec() {
        return Spec.of("count")
                .with(Spec.Trait.READ_CONCERN, Spec.Trait.RESTARTABLE)
                .needs(Rights.onCollection(Action.find));
    }

    @Override
    public CountArgs parse(Arguments in) {
        return CountArgs.parse(in);
    }

    @Override
    public Reply run(CountArgs args, Call call) {
        call.worksOn(args.collection());
        return Reply.of(new BsonWriter(64).put("n", number(count(args, call))));
    }

    private long count(CountArgs args, Call call) {
        ReadSource from = sources.resolve(args.collection(), args.collation());
        boolean isNewest = args.countsAll()
                && call.transaction() == null
                && call.readConcern().atClusterTime() == 0;
        return switch (from) {
            case ReadSource.Oplog() when args.countsAll() -> args.window(oplog.count());
            case ReadSource.Stored stored -> isNewest ? known(args, call) : counted(args, call);
            default -> piped(from, args, call);
        };
    }

    private long known(CountArgs args, Call call) {
        try (Snapshot snapshot = reads.open(call)) {
            Collection collection = catalog.find(args.collection(), snapshot);
            if (collection == null) {
                return 0;
            }
            call.planned(() -> "RECORD_STORE_FAST_COUNT");
            return args.window(collection.size(call.interruption()).documents());
        }
    }

    private long piped(ReadSource from, CountArgs args, Call call) {
        CurrentCall current = new CurrentCall(call);
        long n = 0;
        try (Documents documents = piping.open(from, args.stages(), args.hint(), scope(args, call), current, true, call)
                .documents()) {
            documents.resume(call);
            while (documents.next() != null) {
                n++;
            }
        }
        return n;
    }

    private long counted(CountArgs args, Call call) {
        Query query = args.toQuery(Filters.parseSearch(args.query(), scope(args, call)));
        long n = 0;
        try (Planned planned = reads.plan(args.collection(), query, call);
                Run run = planned.open(call.interruption())) {
            call.planned(planned.plan()::summary);
            while (run.next()) {
                n++;
            }
            call.examined(run.keysExamined(), run.documentsExamined());
        }
        return n;
    }

    private FilterScope scope(CountArgs args, Call call) {
        return scopes.forCall(RawDocument.EMPTY, args.collation(), args.collection(), call);
    }

    private static Value number(long n) {
        return n == (int) n ? Value.of((int) n) : Value.of(n);
    }
}
