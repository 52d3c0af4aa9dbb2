package dev.semel.server.commands;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.DottedPath;
import dev.semel.server.changes.OplogReads;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Documents;
import dev.semel.server.plan.Plan;
import dev.semel.server.plan.Query;
import dev.semel.server.plan.Run;
import dev.semel.server.statement.Planned;
import dev.semel.server.statement.Reads;
import dev.semel.server.statement.Scopes;
import dev.semel.server.statement.Views;
import dev.semel.store.Snapshot;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code distinct}: which values the documents that match have at a path. */
final class Distinct implements Command<DistinctArgs> {
    private final Reads reads;
    private final Piping piping;
    private final Scopes scopes;
    private final OplogReads oplog;

    Distinct(Reads reads, Piping piping, Scopes scopes, OplogReads oplog) {
        this.reads = reads;
        this.piping = piping;
        this.scopes = scopes;
        this.oplog = oplog;
    }

    @Override
    public Spec spec() {
        return Spec.read("distinct").with(Trait.SNAPSHOT_READ);
    }

    @Override
    public DistinctArgs parse(Arguments in) {
        return DistinctArgs.parse(in);
    }

    @Override
    public Reply run(DistinctArgs args, Call call) {
        call.worksOn(args.collection());
        FilterScope scope = scopes.forCall(RawDocument.EMPTY, args.collation(), args.collection(), call);
        DistinctValues values = new DistinctValues(DottedPath.of(args.key()), scope.collation());
        Views.Resolved view = piping.views().find(args.collection(), args.collation());
        if (view != null || oplog.has(args.collection()) || TransactionsView.is(args.collection())) {
            return shown(args, view, values, scope, call);
        }
        Query query = Query.of(Filters.parse(args.query(), scope)).hinted(args.hint());
        BsonWriter reply = new BsonWriter();
        Planned planned = reads.plan(args.collection(), query, call);
        try (Snapshot snapshot = planned.snapshot()) {
            if (planned.collection() != null) {
                collect(planned.plan(), values, snapshot, call);
            }
            values.writeTo(reply);
            long named = Reads.named(snapshot, call);
            if (named != 0) {
                reply.put("atClusterTime", new Value.Timestamp(named));
            }
        }
        return Reply.of(reply);
    }

    /** Of what is read as if it were a collection. */
    private Reply shown(
            DistinctArgs args, Views.@Nullable Resolved view, DistinctValues values, FilterScope scope, Call call) {
        try (Documents documents = open(args, view, scope, call)) {
            documents.resume(call);
            for (RawDocument next = documents.next(); next != null; next = documents.next()) {
                values.add(next);
            }
        }
        BsonWriter reply = new BsonWriter();
        values.writeTo(reply);
        return Reply.of(reply);
    }

    private Documents open(DistinctArgs args, Views.@Nullable Resolved view, FilterScope scope, Call call) {
        if (oplog.has(args.collection())) {
            OplogReads.Search all = new OplogReads.Search(args.query(), RawDocument.EMPTY, 0, 0, RawDocument.EMPTY);
            return oplog.find(all, scope, new CurrentCall(call), call);
        }
        List<RawDocument> stages =
                List.of(new BsonWriter().put("$match", args.query()).finish());
        if (view != null) {
            return piping.open(view, stages, args.hint(), scope, new CurrentCall(call), call)
                    .documents();
        }
        return TransactionsView.open(stages, scope, reads.open(call));
    }

    private static void collect(Plan plan, DistinctValues values, Snapshot snapshot, Call call) {
        call.planned(plan.summary());
        try (Run run = plan.open(snapshot, call.interruption())) {
            while (run.next()) {
                values.add(run.document());
            }
            call.counters().keysExamined.add(run.keysExamined());
            call.counters().documentsExamined.add(run.documentsExamined());
        }
    }
}
