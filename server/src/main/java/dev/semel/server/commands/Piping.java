package dev.semel.server.commands;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.pipeline.Pipeline;
import dev.semel.query.pipeline.Pipelines;
import dev.semel.server.changes.OplogReads;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.Collected;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Documents;
import dev.semel.server.cursor.Found;
import dev.semel.server.cursor.Piped;
import dev.semel.server.plan.Run;
import dev.semel.server.statement.Planned;
import dev.semel.server.statement.Reads;
import dev.semel.server.statement.Views;
import dev.semel.store.Snapshot;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens what a pipeline makes of whatever can be read. */
final class Piping {
    private final Reads reads;
    private final Views views;
    private final OplogReads oplog;

    Piping(Reads reads, Views views, OplogReads oplog) {
        this.reads = reads;
        this.views = views;
        this.oplog = oplog;
    }

    /** A result, and the time of it where the client is to know; 0 otherwise. */
    record Result(Documents documents, long atClusterTime) {
        static Result of(Documents documents) {
            return new Result(documents, 0);
        }
    }

    Result open(
            ReadSource from,
            List<RawDocument> stages,
            @Nullable Value hint,
            FilterScope scope,
            CurrentCall current,
            boolean allowDiskUse,
            Call call) {
        return switch (from) {
            case ReadSource.Stored(var namespace) -> open(namespace, stages, hint, scope, current, allowDiskUse, call);
            case ReadSource.View(var view) ->
                open(view.collection(), view.then(stages), hint, scope, current, allowDiskUse, call);
            case ReadSource.Oplog() -> Result.of(oplog.aggregate(stages, scope, current, allowDiskUse, call));
            case ReadSource.Records(var rows) ->
                Result.of(ConfigView.open(rows, stages, scope, allowDiskUse, reads.open(call)));
        };
    }

    private Result open(
            Namespace collection,
            List<RawDocument> stages,
            @Nullable Value hint,
            FilterScope scope,
            CurrentCall current,
            boolean allowDiskUse,
            Call call) {
        Neighbours neighbours = new Neighbours(collection.database(), reads, views, current);
        Pipeline pipeline = Pipelines.optimized(stages, scope, neighbours);
        PushedDown pushed = PushedDown.of(pipeline, hint, allowDiskUse);
        Planned planned = reads.plan(collection, pushed.query(), call);
        call.planned(planned.plan()::summary);
        Snapshot snapshot = planned.snapshot();
        Function<Run, RawDocument> shape =
                RunMetadata.of(pipeline.metadata()).before(pushed.shape(), scope.environment());
        Found found = new Found(planned.decision(), snapshot, current, shape, 0);
        neighbours.readIn(snapshot);
        Documents documents = pushed.rest().isEmpty()
                ? found
                : new Piped(new WithNeighbours(found, neighbours, null), pushed.rest(), allowDiskUse);
        return new Result(documents, Reads.named(snapshot, call));
    }

    /** What a pipeline makes of documents that are in no collection. */
    Documents open(
            List<RawDocument> documents,
            List<RawDocument> stages,
            FilterScope scope,
            CurrentCall current,
            boolean allowDiskUse,
            Call call) {
        Neighbours neighbours = new Neighbours(call.database(), reads, views, current);
        Pipeline pipeline = Pipelines.optimized(stages, scope, neighbours);
        Snapshot snapshot = reads.open(call);
        neighbours.readIn(snapshot);
        return new Piped(new WithNeighbours(new Collected(documents), neighbours, snapshot), pipeline, allowDiskUse);
    }
}
