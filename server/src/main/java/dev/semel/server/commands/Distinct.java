package dev.semel.server.commands;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.DottedPath;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Documents;
import dev.semel.server.cursor.ExecutorError;
import dev.semel.server.plan.Query;
import dev.semel.server.plan.Run;
import dev.semel.server.statement.Planned;
import dev.semel.server.statement.Reads;
import dev.semel.server.statement.Scopes;
import dev.semel.wire.CommandException;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;

/** {@code distinct}: which values the documents that match have at a path. */
final class Distinct implements Command<DistinctArgs> {
    private final Reads reads;
    private final ReadSources sources;
    private final Piping piping;
    private final Scopes scopes;

    Distinct(Reads reads, ReadSources sources, Piping piping, Scopes scopes) {
        this.reads = reads;
        this.sources = sources;
        this.piping = piping;
        this.scopes = scopes;
    }

    @Override
    public Spec spec() {
        return Spec.read("distinct").with(Trait.SNAPSHOT_READ, Trait.RESTARTABLE);
    }

    @Override
    public DistinctArgs parse(Arguments in) {
        return DistinctArgs.parse(in);
    }

    @Override
    public Reply run(DistinctArgs args, Call call) {
        call.worksOn(args.collection());
        FilterScope scope = scopes.forCall(RawDocument.EMPTY, args.collation(), args.collection(), call);
        ReadSource from = sources.resolve(args.collection(), args.collation());
        try (DistinctValues values = new DistinctValues(
                DottedPath.of(args.key()),
                scope.collation(),
                scope.environment().memory().all())) {
            return from instanceof ReadSource.Stored
                    ? stored(args, values, scope, call)
                    : piped(args, from, values, scope, call);
        }
    }

    private Reply stored(DistinctArgs args, DistinctValues values, FilterScope scope, Call call) {
        Query query = args.toQuery(Filters.parseSearch(args.query(), scope), scope);
        BsonWriter reply;
        try (Planned planned = reads.plan(args.collection(), query, call)) {
            if (planned.collection() != null) {
                collect(args.collection(), planned, values, call);
            }
            reply = values.reply(call.replyMemory());
            long named = Reads.named(planned.snapshot(), call);
            if (named != 0) {
                reply.put("atClusterTime", new Value.Timestamp(named));
            }
        }
        return Reply.of(reply);
    }

    private Reply piped(DistinctArgs args, ReadSource from, DistinctValues values, FilterScope scope, Call call) {
        Piping.Result result = piping.open(from, args.stages(), args.hint(), scope, new CurrentCall(call), true, call);
        try (Documents documents = result.documents()) {
            documents.resume(call);
            for (RawDocument next = documents.next(); next != null; next = documents.next()) {
                values.add(next);
            }
        }
        return Reply.of(values.reply(call.replyMemory()));
    }

    private static void collect(Namespace namespace, Planned planned, DistinctValues values, Call call) {
        call.planned(planned.plan()::summary);
        try (Run run = planned.open(call.interruption())) {
            while (run.next()) {
                values.add(run.document());
            }
            call.examined(run.keysExamined(), run.documentsExamined());
        } catch (CommandException e) {
            throw ExecutorError.of(call, namespace, e);
        }
    }
}
