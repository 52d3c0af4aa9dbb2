package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.Selection;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;

/** The {@code n} of {@code $firstN} and its like, which sees the fields of the group's key. */
final class Counts {
    private Counts() {}

    static int evaluate(Expression count, Environment environment, Value id) {
        environment.on(id instanceof Value.Doc(RawDocument key) ? key : RawDocument.EMPTY);
        return Selection.count(Expressions.evaluate(count, environment));
    }
}
