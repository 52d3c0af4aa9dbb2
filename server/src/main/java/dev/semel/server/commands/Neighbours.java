package dev.semel.server.commands;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Metadata;
import dev.semel.query.pipeline.Others;
import dev.semel.query.pipeline.Pipeline;
import dev.semel.query.pipeline.ReadStatistics;
import dev.semel.query.pipeline.Source;
import dev.semel.query.value.Collation;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.plan.Query;
import dev.semel.server.plan.Run;
import dev.semel.server.statement.Planned;
import dev.semel.server.statement.Reads;
import dev.semel.server.statement.Views;
import dev.semel.store.Snapshot;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The collections that one aggregation reads beside its own. All are read in its snapshot; inside a transaction that is the
 * transaction's view, for which a serializable one locks what is read.
 */
final class Neighbours implements Others {
    private final String database;
    private final Reads reads;
    private final Views views;
    private final CurrentCall current;
    private final List<Opened> open = new ArrayList<>();
    private @Nullable Snapshot snapshot;

    Neighbours(String database, Reads reads, Views views, CurrentCall current) {
        this.database = database;
        this.reads = reads;
        this.views = views;
        this.current = current;
    }

    /** Whose snapshot it is closes it, after everything that was opened here. */
    void readIn(Snapshot shared) {
        snapshot = shared;
    }

    @Override
    public Base base(String name) {
        Views.Resolved view = views.find(new Namespace(database, name), null);
        return view == null
                ? new Base(name, List.of())
                : new Base(view.collection().collection(), view.stages());
    }

    @Override
    public Source open(
            String collection, Pipeline pipeline, boolean allowDiskUse, @Nullable ReadStatistics statistics) {
        Set<String> metadata = pipeline.metadata();
        Metadata.check(metadata, pipeline.metadataOfSearch());
        PushedDown pushed = PushedDown.of(pipeline, null, allowDiskUse);
        Environment environment = pipeline.environment();
        Function<Run, RawDocument> shape = RunMetadata.of(metadata).before(pushed.shape(), environment);
        Opened rows = open(new Namespace(database, collection), pushed.query(), shape, statistics);
        open.add(rows);
        Source results = pushed.rest().open(rows, allowDiskUse, statistics);
        return metadata.isEmpty() ? results : new Aside(results, environment);
    }

    @Override
    public @Nullable ById byId(String collection, Collation collation) {
        Call call = current.call();
        Snapshot shared = snapshot;
        if (shared == null || call.transaction() != null) {
            return null;
        }
        Collection found = reads.find(new Namespace(database, collection), shared, call);
        return found == null ? null : new NeighbourById(found, collation, shared, current);
    }

    private Opened open(
            Namespace namespace, Query query, Function<Run, RawDocument> shape, @Nullable ReadStatistics statistics) {
        Call call = current.call();
        Snapshot shared = snapshot;
        if (shared == null || call.transaction() != null) {
            return new Opened(reads.plan(namespace, query, call), shape, call, true, statistics);
        }
        return new Opened(reads.plan(namespace, query, shared, call), shape, call, false, statistics);
    }

    /** Leaves the metadata of the document beside which others are read as it is. */
    private record Aside(Source results, Environment environment) implements Source {
        @Override
        public @Nullable RawDocument next() {
            RawDocument outer = environment.metadata();
            RawDocument next = results.next();
            environment.metadata(outer);
            return next;
        }

        @Override
        public void close() {
            results.close();
        }
    }

    void resume(Call call) {
        open.forEach(each -> each.rows.resume(call.interruption()));
    }

    void pause() {
        open.forEach(each -> each.rows.pause());
    }

    private final class Opened implements Source {
        private final Planned planned;
        private final Run rows;
        private final Function<Run, RawDocument> shape;
        private final boolean ownsSnapshot;
        private final @Nullable ReadStatistics statistics;

        Opened(
                Planned planned,
                Function<Run, RawDocument> shape,
                Call call,
                boolean ownsSnapshot,
                @Nullable ReadStatistics statistics) {
            this.planned = planned;
            this.rows = planned.open(call.interruption());
            this.shape = shape;
            this.ownsSnapshot = ownsSnapshot;
            this.statistics = statistics;
        }

        @Override
        public @Nullable RawDocument next() {
            return rows.next() ? shape.apply(rows) : null;
        }

        private void count() {
            if (statistics != null) {
                statistics.add(
                        rows.documentsExamined(),
                        rows.keysExamined(),
                        planned.plan().collectionScans(),
                        planned.plan().indexes().stream().map(Index::name).toList());
            }
        }

        @Override
        public void close() {
            if (open.remove(this)) {
                count();
                rows.close();
                if (ownsSnapshot) {
                    planned.snapshot().close();
                }
            }
        }
    }
}
