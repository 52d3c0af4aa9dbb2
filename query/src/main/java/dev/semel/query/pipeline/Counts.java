package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.Selection;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;

/** The {@code n} of {@code $firstN} and its like. */
final class Counts {
    private Counts() {}

    static int evaluate(Expression count, Environment environment, Value id) {
        environment.on(new BsonWriter(64).put("_id", id).finish());
        return Selection.count(Expressions.evaluate(count, environment));
    }
}
