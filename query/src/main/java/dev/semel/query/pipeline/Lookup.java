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
 * @param unwound takes the array apart at once, so that it need not be made; null if it stays
 */
public record Lookup(
        DottedPath as,
        Foreign foreign,
        @Nullable On on,
        List<Expression> variables,
        int firstSlot,
        @Nullable Unwind unwound)
        implements Stage {
    /** The field of each document whose values the foreign field has. */
    record On(DottedPath local, String foreign) {}

    Lookup unwoundBy(Unwind unwind) {
        return new Lookup(as, foreign, on, variables, firstSlot, unwind);
    }

    @Override
    public Source open(Source in, Execution execution) {
        if (unwound != null) {
            return new OneByOne(in, execution, unwound);
        }
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
        bind(evaluated(document));
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

    /** All are evaluated before any is bound: a variable of an outer stage may be hidden by one of these. */
    private List<@Nullable Value> evaluated(RawDocument document) {
        List<@Nullable Value> values = new ArrayList<>();
        for (Expression each : variables) {
            values.add(Expressions.evaluate(each, foreign.scope().environment(), document));
        }
        return values;
    }

    private void bind(List<@Nullable Value> values) {
        for (int i = 0; i < values.size(); i++) {
            foreign.scope().environment().bind(firstSlot + i, values.get(i));
        }
    }

    /** A document for each that belongs to one, instead of an array of them. */
    private final class OneByOne implements Source {
        private final Source in;
        private final Execution execution;
        private final Unwind unwind;
        private RawDocument document = RawDocument.EMPTY;
        private List<@Nullable Value> values = List.of();
        private @Nullable Source found;
        private long position;
        private long held;

        OneByOne(Source in, Execution execution, Unwind unwind) {
            this.in = in;
            this.execution = execution;
            this.unwind = unwind;
        }

        @Override
        public @Nullable RawDocument next() {
            held = execution.holdInstead(held, 0);
            while (true) {
                if (found != null) {
                    // Stages behind this one may have variables in the same place.
                    bind(values);
                    RawDocument next = found.next();
                    if (next != null) {
                        return joined(Value.of(next), Value.of(position++));
                    }
                    found.close();
                    found = null;
                    if (position == 0 && unwind.preserve()) {
                        return joined(null, Value.NULL);
                    }
                }
                RawDocument next = in.next();
                if (next == null) {
                    return null;
                }
                execution.environment().checkpoint();
                document = next;
                values = evaluated(next);
                position = 0;
                bind(values);
                found = foreign.open(match(next), execution);
            }
        }

        private RawDocument joined(@Nullable Value belonging, Value index) {
            RawDocument result = Nested.set(document, as, belonging);
            if (unwind.index() != null) {
                result = Nested.set(result, unwind.index(), index);
            }
            held = execution.holdInstead(held, result.length());
            return result;
        }

        @Override
        public void close() {
            if (found != null) {
                found.close();
            }
            in.close();
        }
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
