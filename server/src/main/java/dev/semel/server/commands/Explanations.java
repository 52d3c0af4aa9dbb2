package dev.semel.server.commands;

import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.pipeline.Pipeline;
import dev.semel.query.pipeline.Pipelines;
import dev.semel.query.pipeline.SentStages;
import dev.semel.query.pipeline.Source;
import dev.semel.query.pipeline.StageWork;
import dev.semel.query.projection.Projection;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.changes.ChangeStreams;
import dev.semel.server.command.Call;
import dev.semel.server.command.Reply;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.output.OutputStage;
import dev.semel.server.output.OutputStages;
import dev.semel.server.plan.Decision;
import dev.semel.server.plan.Explain;
import dev.semel.server.plan.Planner;
import dev.semel.server.plan.Query;
import dev.semel.server.plan.Run;
import dev.semel.server.statement.Change;
import dev.semel.server.statement.Reads;
import dev.semel.server.statement.Scopes;
import dev.semel.server.statement.Targets;
import dev.semel.server.statement.Views;
import dev.semel.server.statement.Write;
import dev.semel.store.Snapshot;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What {@code explain} answers for each command. Statements that write are explained by the documents they would find:
 * running them for their cost means looking at these documents, not changing them.
 */
final class Explanations {
    private final Catalog catalog;
    private final Planner planner;
    private final Reads reads;
    private final Views views;
    private final Scopes scopes;
    private final Targets targets;
    private final ExplainedServer server;

    Explanations(
            Catalog catalog,
            Planner planner,
            Reads reads,
            Views views,
            Scopes scopes,
            Targets targets,
            ExplainedServer server) {
        this.catalog = catalog;
        this.planner = planner;
        this.reads = reads;
        this.views = views;
        this.scopes = scopes;
        this.targets = targets;
        this.server = server;
    }

    // ---- one by one

    Reply find(FindArgs args, Verbosity verbosity, RawDocument command, Call call) {
        FilterScope scope = scopes.forCall(args.let(), args.collation(), args.collection(), call);
        Views.Resolved view = views.find(args.collection(), args.collation());
        if (view != null) {
            args.checkForView();
            return piped(view, args.stages(), args.hint(), args.allowDiskUse(), scope, verbosity, command, call);
        }
        Filter filter = Filters.parseSearch(args.filter(), scope);
        Projection shown = args.shown(filter, scope);
        Query query = args.query(filter, shown, scope);
        args.shape(filter, shown, scope);
        return plain(args.collection(), query, verbosity, command, call);
    }

    Reply count(CountArgs args, Verbosity verbosity, RawDocument command, Call call) {
        FilterScope scope = scopes.forCall(RawDocument.EMPTY, args.collation(), args.collection(), call);
        Views.Resolved view = views.find(args.collection(), args.collation());
        if (view != null) {
            return piped(view, args.stages(), args.hint(), true, scope, verbosity, command, call);
        }
        Query query = args.toQuery(Filters.parseSearch(args.query(), scope));
        return plain(
                args.collection(),
                query,
                run -> {
                    while (run.next()) {
                        // They are counted, and none is returned.
                    }
                    return 0;
                },
                null,
                verbosity,
                command,
                call);
    }

    Reply distinct(DistinctArgs args, Verbosity verbosity, RawDocument command, Call call) {
        FilterScope scope = scopes.forCall(RawDocument.EMPTY, args.collation(), args.collection(), call);
        Views.Resolved view = views.find(args.collection(), args.collation());
        if (view != null) {
            return piped(view, args.stages(), args.hint(), true, scope, verbosity, command, call);
        }
        Query query = args.toQuery(Filters.parseSearch(args.query(), scope), scope);
        return plain(args.collection(), query, verbosity, command, call);
    }

    Reply update(Write.Update statement, Verbosity verbosity, RawDocument command, Call call) {
        return update(statement, write -> write, verbosity, command, call);
    }

    private Reply update(
            Write.Update statement,
            UnaryOperator<ExplainedWrite> kind,
            Verbosity verbosity,
            RawDocument command,
            Call call) {
        Change change = targets.parse(statement, call);
        ExplainedWrite write = kind.apply(ExplainedWrite.update(change, statement.multi()));
        return writing(statement.collection(), change.target().query(), write, verbosity, command, call);
    }

    Reply delete(Write.Delete statement, Verbosity verbosity, RawDocument command, Call call) {
        return delete(statement, write -> write, verbosity, command, call);
    }

    private Reply delete(
            Write.Delete statement,
            UnaryOperator<ExplainedWrite> kind,
            Verbosity verbosity,
            RawDocument command,
            Call call) {
        Query query = targets.parse(statement, call).query();
        ExplainedWrite write = kind.apply(ExplainedWrite.delete(statement.multi()));
        return writing(statement.collection(), query, write, verbosity, command, call);
    }

    private Reply writing(
            Namespace namespace,
            Query query,
            ExplainedWrite write,
            Verbosity verbosity,
            RawDocument command,
            Call call) {
        views.refuse(namespace);
        return plain(
                namespace,
                query,
                run -> {
                    while (run.next()) {
                        write.found(run.document());
                    }
                    return write.returned();
                },
                write,
                verbosity,
                command,
                call);
    }

    Reply findAndModify(FindAndModifyArgs args, Verbosity verbosity, RawDocument command, Call call) {
        Value modification = args.modification();
        return modification == null
                ? delete(args.toDelete(), write -> write.returning(false), verbosity, command, call)
                : update(
                        args.toUpdate(modification),
                        write -> write.returning(args.returnNew()),
                        verbosity,
                        command,
                        call);
    }

    Reply aggregate(AggregateArgs args, Verbosity verbosity, RawDocument command, Call call) {
        OutputStage output = OutputStages.last(args.stages(), call.database());
        return output == null
                ? aggregate(args, List.of(), verbosity, command, call)
                : aggregate(args.withoutLast(), outputs(output, verbosity), verbosity, command, call);
    }

    /** Nothing is written for an explanation, so only the plan can be shown. */
    private static List<RawDocument> outputs(OutputStage output, Verbosity verbosity) {
        if (verbosity.runs()) {
            throw new CommandException(
                    ErrorCode.location(51029),
                    "a pipeline with %s can only be explained with the verbosity 'queryPlanner'",
                    output.name());
        }
        return List.of(output.described());
    }

    private Reply aggregate(
            AggregateArgs args, List<RawDocument> outputs, Verbosity verbosity, RawDocument command, Call call) {
        if (ChangeStreams.isFirst(args.stages())) {
            throw new CommandException(
                    ErrorCode.NotImplemented, "explaining a change stream is not supported: it reads the oplog alone");
        }
        FilterScope scope = scopes.forCall(args.let(), args.collation(), args.collection(), call);
        Views.Resolved view = views.find(args.collection(), args.collation());
        Views.Resolved over = view == null
                ? new Views.Resolved(args.collection(), args.stages())
                : new Views.Resolved(view.collection(), view.then(args.stages()));
        return piped(over, args.hint(), args.allowDiskUse(), scope, outputs, verbosity, command, call);
    }

    private Reply piped(
            Views.Resolved view,
            List<RawDocument> stages,
            @Nullable Value hint,
            boolean allowDiskUse,
            FilterScope scope,
            Verbosity verbosity,
            RawDocument command,
            Call call) {
        Views.Resolved over = new Views.Resolved(view.collection(), view.then(stages));
        return piped(over, hint, allowDiskUse, scope, List.of(), verbosity, command, call);
    }

    private Reply piped(
            Views.Resolved over,
            @Nullable Value hint,
            boolean allowDiskUse,
            FilterScope scope,
            List<RawDocument> outputs,
            Verbosity verbosity,
            RawDocument command,
            Call call) {
        CurrentCall current = new CurrentCall(call);
        Neighbours neighbours = new Neighbours(over.collection().database(), reads, views, current);
        SentStages sent = new SentStages();
        Pipeline pipeline = Pipelines.optimized(over.stages(), scope, neighbours, sent);
        PushedDown pushed = PushedDown.of(pipeline, hint, allowDiskUse);
        if (pushed.rest().isEmpty() && outputs.isEmpty()) {
            return plain(over.collection(), pushed.query(), verbosity, command, call);
        }
        BsonWriter reply = begin().startArray("stages").startDocument().startDocument("$cursor");
        List<StageWork> works = new ArrayList<>();
        describe(reply, over.collection(), pushed.query(), null, verbosity, call, (run, snapshot) -> {
            neighbours.readIn(snapshot);
            return piped(run, pipeline, pushed, allowDiskUse, call, works);
        });
        new ExplainedStages(pushed.rest(), sent, works).addTo(reply.end());
        outputs.forEach(reply::add);
        server.addTo(reply.end());
        return Reply.of(reply.put("command", command));
    }

    /** Runs what is behind the plan over what the plan finds; how much that was. */
    private static long piped(
            Run run, Pipeline pipeline, PushedDown pushed, boolean allowDiskUse, Call call, List<StageWork> works) {
        Function<Run, RawDocument> shape =
                RunMetadata.of(pipeline.metadata()).before(pushed.shape(), pipeline.environment());
        Source found = new Source() {
            @Override
            public @Nullable RawDocument next() {
                return run.next() ? shape.apply(run) : null;
            }

            @Override
            public void close() {}
        };
        try (Source results = pushed.rest().openObserved(found, allowDiskUse, call::elapsedNanos, works)) {
            while (results.next() != null) {
                // Only what it costs is of interest.
            }
        }
        return works.getFirst().returned();
    }

    // ---- what they share

    /** Reads what a plan finds to its end, or as far as the command would; how much that was. */
    private interface Consumption {
        long run(Run run, Snapshot snapshot);
    }

    private Reply plain(Namespace namespace, Query query, Verbosity verbosity, RawDocument command, Call call) {
        return plain(
                namespace,
                query,
                run -> {
                    long found = 0;
                    while (run.next()) {
                        found++;
                    }
                    return found;
                },
                null,
                verbosity,
                command,
                call);
    }

    private Reply plain(
            Namespace namespace,
            Query query,
            ToLongFunction<Run> consumption,
            @Nullable ExplainedWrite write,
            Verbosity verbosity,
            RawDocument command,
            Call call) {
        BsonWriter reply = begin();
        describe(reply, namespace, query, write, verbosity, call, (run, snapshot) -> consumption.applyAsLong(run));
        server.addTo(reply.put("command", command));
        return Reply.of(reply);
    }

    private static BsonWriter begin() {
        return new BsonWriter().put("explainVersion", "1");
    }

    private void describe(
            BsonWriter reply,
            Namespace namespace,
            Query query,
            @Nullable ExplainedWrite write,
            Verbosity verbosity,
            Call call,
            Consumption consumption) {
        call.worksOn(namespace);
        BsonWriter described = new BsonWriter();
        try (Snapshot snapshot = reads.open(call)) {
            Collection collection = catalog.find(namespace, snapshot);
            if (collection == null) {
                Planner.requireNoIndex(namespace, query);
            }
            long begun = call.elapsedNanos();
            try (Decision decision = planner.explain(collection, query, snapshot, call.interruption())) {
                long millis = TimeUnit.NANOSECONDS.toMillis(call.elapsedNanos() - begun);
                Explain.queryPlanner(
                        described, namespace, query, decision, planner.isFiltered(collection, query), millis);
                if (verbosity.runs()) {
                    run(described, query, decision, snapshot, verbosity, call, consumption);
                }
            }
        }
        RawDocument shown = described.finish();
        if (write == null) {
            reply.copyAll(shown);
        } else {
            write.wrap(shown, reply);
        }
    }

    private static void run(
            BsonWriter out,
            Query query,
            Decision decision,
            Snapshot snapshot,
            Verbosity verbosity,
            Call call,
            Consumption consumption) {
        long begun = call.elapsedNanos();
        try (Run run = decision.open(snapshot, call.interruption())) {
            long returned = consumption.run(run, snapshot);
            long millis = TimeUnit.NANOSECONDS.toMillis(call.elapsedNanos() - begun);
            Explain.executionStats(
                    out, query, decision, run, returned, millis, verbosity == Verbosity.ALL_PLANS_EXECUTION);
        }
    }
}
