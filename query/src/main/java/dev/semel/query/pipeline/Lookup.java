package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code $lookup}: to each document an array of what belongs to it in another collection.
 *
 * @param on null if the pipeline alone says what belongs together
 * @param variables the values of {@code let}, which take the slots from {@code firstSlot} on
 */
public record Lookup(
        DottedPath as, Foreign foreign, @Nullable On on, List<Expression> variables, int firstSlot) implements Stage {
    /** The field of each document whose values the foreign field has. */
    record On(DottedPath local, String foreign) {}

    @Override
    public Source open(Source in, Execution execution) {
        return new Mapped(in, execution, document -> {
            execution.environment().checkpoint();
            long mark = foreign.scope().environment().mark();
            try {
                return Nested.set(document, as, found(document, execution));
            } finally {
                foreign.scope().environment().release(mark);
            }
        });
    }

    private Value found(RawDocument document, Execution execution) {
        Environment environment = foreign.scope().environment();
        // All are evaluated before any is bound: a variable of an outer stage may be hidden by one of these.
        List<@Nullable Value> values = new ArrayList<>();
        for (Expression each : variables) {
            values.add(Expressions.evaluate(each, environment, document));
        }
        for (int i = 0; i < values.size(); i++) {
            environment.bind(firstSlot + i, values.get(i));
        }
        BsonWriter found = new BsonWriter(256);
        long mark = environment.mark();
        try (Source source = foreign.open(match(document), execution)) {
            for (RawDocument next = source.next(); next != null; next = source.next()) {
                found.add(next);
                environment.building(mark, found);
                if (found.length() > Limits.DOCUMENT_BYTES_MAX) {
                    throw new CommandException(
                            ErrorCode.location(4568),
                            "Total size of documents in %s matching pipeline's $lookup stage exceeds %d bytes",
                            String.valueOf(foreign.collection()),
                            Limits.DOCUMENT_BYTES_MAX);
                }
            }
        }
        return found.finishArray();
    }

    private @Nullable Match match(RawDocument document) {
        if (on == null) {
            return null;
        }
        List<Value> values = Joined.values(document, on.local());
        return new Match(
                Joined.equal(on.foreign(), values.isEmpty() ? List.of(Value.NULL) : values, null, foreign.scope()));
    }

    @Override
    public boolean collectFields(FieldSet into) {
        if (on != null) {
            into.add(on.local().first());
        }
        variables.forEach(each -> Expressions.collectFields(each, into));
        return false;
    }
}
