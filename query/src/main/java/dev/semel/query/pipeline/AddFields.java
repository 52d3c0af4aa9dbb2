package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;

/** {@code $addFields}, which is also called {@code $set}. */
public record AddFields(Reshape reshape) implements Stage {
    @Override
    public Source open(Source in, Execution execution) {
        return new Mapped(in, execution, document -> reshape.apply(document, execution.environment()));
    }

    @Override
    public boolean collectFields(FieldSet into) {
        reshape.collectFields(into);
        return false;
    }
}
