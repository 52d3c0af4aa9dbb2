package dev.semel.query.pipeline;

import dev.semel.query.expression.Expressions;
import dev.semel.query.filter.FilterScope;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** {@code $documents}: a pipeline's own documents in place of a collection's. */
public final class Literals {
    private Literals() {}

    public static List<RawDocument> documents(Value specification, FilterScope scope) {
        Value value = Expressions.evaluate(
                Expressions.parse(specification, scope.variables()), scope.environment(), RawDocument.EMPTY);
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw new CommandException(
                    ErrorCode.location(5858203), "an array is expected as the argument of $documents");
        }
        List<RawDocument> documents = new ArrayList<>();
        for (Element element : elements) {
            if (!(element.value() instanceof Value.Doc(RawDocument document))) {
                throw new CommandException(
                        ErrorCode.location(40228),
                        "'newRoot' expression must evaluate to an object, but resulting value was of type: %s",
                        element.value().type().alias());
            }
            documents.add(document);
        }
        return documents;
    }
}
