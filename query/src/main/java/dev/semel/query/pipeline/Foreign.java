package dev.semel.query.pipeline;

import dev.semel.query.filter.FilterScope;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Another collection as a stage sees it: what makes the view, if it is one, and what the stage wants of it.
 *
 * @param collection null if the documents are those of {@code own}
 */
record Foreign(
        @Nullable String collection,
        List<RawDocument> own,
        List<Stage> view,
        List<Stage> stages,
        Others others,
        FilterScope scope) {
    private static final String DOCUMENTS = "$documents";

    /** What it takes beside its stages, compared with a plain condition. */
    private static final int PARTS = 2;

    /** Reads a pipeline inside a stage's specification. */
    static List<RawDocument> pipeline(String stage, Value value) {
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw new CommandException(
                    ErrorCode.TypeMismatch, "'pipeline' option of %s must be specified as an array", stage);
        }
        List<RawDocument> stages = new ArrayList<>();
        for (Element element : elements) {
            if (!(element.value() instanceof Value.Doc(RawDocument document))) {
                throw new CommandException(
                        ErrorCode.TypeMismatch, "Each element of the 'pipeline' array must be an object");
            }
            stages.add(document);
        }
        return stages;
    }

    static boolean bringsDocuments(List<RawDocument> stages) {
        Element first = stages.isEmpty() ? null : stages.getFirst().first();
        return first != null && first.name().equals(DOCUMENTS);
    }

    /**
     * Parses what is wanted of the collection. Views of views multiply what a few words ask for, so all of it counts each
     * time.
     *
     * @param name null if the pipeline brings its documents
     * @param inner the scope of the pipeline; the stages of a view are parsed in {@code scope}
     */
    static Foreign of(
            @Nullable String name, List<RawDocument> pipeline, FilterScope scope, FilterScope inner, Others others) {
        scope.environment().parsed(PARTS);
        FilterScope ofPipeline = Nesting.deeper(inner);
        if (name == null) {
            Element first = pipeline.getFirst().first();
            List<RawDocument> own = first == null ? List.of() : Literals.documents(first.value(), scope);
            List<RawDocument> rest = pipeline.subList(1, pipeline.size());
            return new Foreign(null, own, List.of(), Pipelines.stages(rest, ofPipeline, others), others, scope);
        }
        Others.Base base = others.base(name);
        return new Foreign(
                base.collection(),
                List.of(),
                Pipelines.stages(base.stages(), Nesting.deeper(scope), others),
                Pipelines.stages(pipeline, ofPipeline, others),
                others,
                scope);
    }

    /** Its documents by their {@code _id}, if whole documents of a collection are wanted and the collection can do that. */
    Others.@Nullable ById byId() {
        return collection == null || !view.isEmpty() || !stages.isEmpty()
                ? null
                : others.byId(collection, scope.collation());
    }

    Source open(@Nullable Match match, Execution execution) {
        List<Stage> all = new ArrayList<>(view);
        if (match != null) {
            all.add(match);
        }
        all.addAll(stages);
        Pipeline pipeline = new Pipeline(Optimizer.optimize(all), scope.environment());
        return collection == null
                ? pipeline.open(Source.of(own), execution.allowDiskUse(), execution.statistics())
                : others.open(collection, pipeline, execution.allowDiskUse(), execution.statistics());
    }
}
