package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.Sizes;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;

/** {@code $replaceRoot} and {@code $replaceWith}: an expression's value in place of the document. */
public record ReplaceRoot(Expression newRoot) implements Stage {
    @Override
    public Source open(Source in, Execution execution) {
        return new Mapped(in, execution, document -> replace(document, execution.environment()));
    }

    private RawDocument replace(RawDocument document, Environment environment) {
        Value value = Expressions.evaluate(newRoot, environment, document);
        if (value instanceof Value.Doc(RawDocument root)) {
            Sizes.checkDepth(root);
            return root;
        }
        throw new CommandException(
                ErrorCode.location(40228),
                "'newRoot' expression  must evaluate to an object, but resulting value was: %s. Type of resulting "
                        + "value: '%s'. Input document: %s",
                value == null ? "MISSING" : Shell.text(value),
                value == null ? "missing" : value.type(),
                Shell.text(document));
    }

    @Override
    public boolean collectFields(FieldSet into) {
        Expressions.collectFields(newRoot, into);
        return true;
    }
}
