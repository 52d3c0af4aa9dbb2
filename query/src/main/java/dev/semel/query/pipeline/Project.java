package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;

/** {@code $project}, and {@code $unset}, which is one that excludes. */
public record Project(Reshape reshape) implements Stage {
    @Override
    public Source open(Source in, Execution execution) {
        return new Mapped(in, execution, document -> reshape.apply(document, execution.environment()));
    }

    @Override
    public boolean collectFields(FieldSet into) {
        reshape.collectFields(into);
        return reshape.mode() == Reshape.Mode.INCLUDE;
    }
}
