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

/** How deep pipelines stand in pipelines: each level multiplies the work. */
final class Nesting {
    /** As in MongoDB. */
    private static final int DEPTH_MAX = 20;

    private Nesting() {}

    /** Looks at what has the shape of a pipeline; the rest is up to the parsers of the stages. */
    static void check(List<RawDocument> stages) {
        check(stages, 0);
    }

    private static void check(List<RawDocument> stages, int depth) {
        for (RawDocument stage : stages) {
            Element element = stage.first();
            if (element != null && element.value() instanceof Value.Doc(RawDocument specification)) {
                switch (element.name()) {
                    case "$lookup", "$unionWith" -> {
                        if (depth == DEPTH_MAX) {
                            throw exceeded(element.name() + " ");
                        }
                        check(inner(specification.get("pipeline")), depth + 1);
                    }
                    case "$facet" -> specification.forEach(each -> check(inner(each.value()), depth));
                    default -> {}
                }
            }
        }
    }

    /** The scope of a pipeline in one of this scope; it may be that of a view, which is not seen where it is written. */
    static FilterScope deeper(FilterScope scope) {
        if (scope.depth() == DEPTH_MAX) {
            throw exceeded("");
        }
        return scope.deeper();
    }

    private static CommandException exceeded(String kind) {
        return new CommandException(
                ErrorCode.MaxSubPipelineDepthExceeded,
                "Maximum number of nested %ssub-pipelines exceeded. Limit is %d",
                kind,
                DEPTH_MAX);
    }

    private static List<RawDocument> inner(@Nullable Value pipeline) {
        List<RawDocument> stages = new ArrayList<>();
        if (pipeline instanceof Value.Array(RawDocument elements)) {
            for (Element each : elements) {
                if (each.value() instanceof Value.Doc(RawDocument stage)) {
                    stages.add(stage);
                }
            }
        }
        return stages;
    }
}
