package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.Metadata;
import dev.semel.query.expression.Sizes;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Searches;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.thread.StackRoom;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline as it will run, optimized. A planner looks at the first stages: it may take a leading {@link Match},
 * {@link Sort}, {@link Skip} or {@link Limit} upon itself and open what {@link #without} leaves. Bound to the environment
 * it was parsed with, so it belongs to one thread and one statement.
 */
public record Pipeline(List<Stage> stages, Environment environment) {
    /** Each calls the one before it, in four frames, or twice as many if it is observed. */
    private static final int STAGES_PER_LEVEL = 64;

    public Pipeline {
        stages = List.copyOf(stages);
    }

    public boolean isEmpty() {
        return stages.isEmpty();
    }

    /** The pipeline behind its first stages. */
    public Pipeline without(int first) {
        return new Pipeline(stages.subList(first, stages.size()), environment);
    }

    /**
     * The results over some documents; closing them closes the documents.
     *
     * @param allowDiskUse whether stages that collect more than they may hold in memory write temporary files
     */
    public Source open(Source documents, boolean allowDiskUse) {
        return open(documents, allowDiskUse, null);
    }

    /**
     * The same inside another pipeline.
     *
     * @param statistics of what is read of other collections; null if nobody asks
     */
    public Source open(Source documents, boolean allowDiskUse, @Nullable ReadStatistics statistics) {
        Execution execution = Execution.of(environment, allowDiskUse, statistics);
        Source results = documents;
        for (int i = 0; i < stages.size(); i++) {
            results = levelled(i, open(i, results, execution));
        }
        return stages.isEmpty() ? results : new Releasing(results, execution);
    }

    /**
     * The same for {@code explain}.
     *
     * @param clock in nanoseconds
     * @param works gets what the documents' source has done, and behind it what each stage has
     */
    public Source openObserved(Source documents, boolean allowDiskUse, LongSupplier clock, List<StageWork> works) {
        Execution execution = Execution.of(environment, allowDiskUse, null);
        StageWork work = new StageWork(clock);
        works.add(work);
        Source results = work.counted(documents);
        for (int i = 0; i < stages.size(); i++) {
            StageWork of = new StageWork(clock);
            works.add(of);
            results = levelled(i, of.counted(open(i, results, execution.observedBy(of))));
        }
        return new Releasing(results, execution);
    }

    /** The last of all is within a stage of another pipeline, if there are others. */
    private Source levelled(int number, Source results) {
        boolean endsLevel = number % STAGES_PER_LEVEL == STAGES_PER_LEVEL - 1;
        boolean isLast = number == stages.size() - 1;
        return environment.isLarge() && (endsLevel || isLast) ? new Level(results, environment) : results;
    }

    private Source open(int number, Source in, Execution execution) {
        return switch (stages.get(number)) {
            case Sort sort -> sort.open(in, execution, without(number + 1).fields());
            case BucketAuto stage -> new Shallow(stage.open(in, execution));
            case Densify stage -> new Shallow(stage.open(in, execution));
            case Facet stage -> new Shallow(stage.open(in, execution));
            case GraphLookup stage -> new Shallow(stage.open(in, execution));
            case Group stage -> new Shallow(stage.open(in, execution));
            case Lookup stage -> new Shallow(stage.open(in, execution));
            case SetWindowFields stage -> new Shallow(stage.open(in, execution));
            // They make nothing deeper than it was, or look at it themselves.
            case AddFields stage -> stage.open(in, execution);
            case Count stage -> stage.open(in, execution);
            case GeoNear stage -> stage.open(in, execution);
            case Limit stage -> stage.open(in, execution);
            case Match stage -> stage.open(in, execution);
            case Project stage -> stage.open(in, execution);
            case Redact stage -> stage.open(in, execution);
            case ReplaceRoot stage -> stage.open(in, execution);
            case Sample stage -> stage.open(in, execution);
            case Skip stage -> stage.open(in, execution);
            case UnionWith stage -> stage.open(in, execution);
            case Unwind stage -> stage.open(in, execution);
        };
    }

    /** Refuses results that nest too deeply for a reply and for stages that follow, which may be a thousand. */
    private record Shallow(Source results) implements Source {
        @Override
        public @Nullable RawDocument next() {
            RawDocument next = results.next();
            if (next != null) {
                Sizes.checkDepth(next);
            }
            return next;
        }

        @Override
        public void close() {
            results.close();
        }
    }

    /** Where the stack is put aside, because the stages before are so many. */
    private record Level(Source results, Environment environment) implements Source {
        @Override
        public @Nullable RawDocument next() {
            environment.descend();
            try {
                return results.next();
            } finally {
                environment.ascend();
            }
        }

        @Override
        public void close() {
            StackRoom.make();
            results.close();
        }
    }

    private record Releasing(Source results, Execution execution) implements Source {
        @Override
        public @Nullable RawDocument next() {
            return results.next();
        }

        @Override
        public void close() {
            results.close();
            execution.memory().close();
        }
    }

    /** The results over one document, for a pipeline that gives one for one, as an update's does. */
    public RawDocument apply(RawDocument document) {
        try (Source results = open(Source.of(List.of(document)), false)) {
            RawDocument result = results.next();
            return result == null ? document : result;
        }
    }

    /** The metadata of documents that any stage reads. */
    public Set<String> metadata() {
        FieldSet fields = new FieldSet();
        stages.forEach(stage -> stage.collectFields(fields));
        return fields.metadata();
    }

    /** The metadata that the search makes with which it begins, if it does. */
    public Set<String> metadataOfSearch() {
        return switch (stages.isEmpty() ? null : stages.getFirst()) {
            case GeoNear ignored -> Metadata.OF_SEARCHES;
            case Match(Filter filter) -> Searches.metadata(filter);
            case null, default -> Set.of();
        };
    }

    /** The top-level fields of a document that can make a difference to the result. */
    public FieldSet fields() {
        return fields(stages);
    }

    static FieldSet fields(List<Stage> stages) {
        FieldSet fields = new FieldSet();
        for (Stage stage : stages) {
            if (stage.collectFields(fields)) {
                return fields;
            }
        }
        fields.addWhole();
        return fields;
    }
}
