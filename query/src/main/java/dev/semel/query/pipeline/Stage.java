package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;

/** One stage of a pipeline. Immutable; its state at run time is in the source it opens. */
public sealed interface Stage
        permits AddFields,
                BucketAuto,
                Count,
                Densify,
                Facet,
                GeoNear,
                GraphLookup,
                Group,
                Limit,
                Lookup,
                Match,
                Project,
                Redact,
                ReplaceRoot,
                Sample,
                SetWindowFields,
                Skip,
                Sort,
                UnionWith,
                Unwind {
    /** The results of this stage over the documents of another source, which is closed with the one returned. */
    Source open(Source in, Execution execution);

    /**
     * Adds the top-level fields this stage reads from its input.
     *
     * @return whether that is all the pipeline can read: nothing of the input that the stage did not name goes further
     */
    boolean collectFields(FieldSet into);
}
