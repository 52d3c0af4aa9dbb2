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
    private static final String ID = "_id";

    /** The field of each document whose values the foreign field has. */
    record On(DottedPath local, String foreign) {}

    Lookup unwoundBy(Unwind unwind) {
        return new Lookup(as, foreign, on, variables, firstSlot, unwind);
    }

    @Override
    public Source open(Source in, Execution execution) {
        Pairing pairing = pairing(in, execution);
        return unwound == null ? new Gathered(pairing, execution) : new OneByOne(pairing, execution, unwound);
    }

    private Pairing pairing(Source in, Execution execution) {
        if (on != null && on.foreign().equals(ID) && variables.isEmpty()) {
            Others.ById byId = foreign.byId();
            if (byId != null) {
                return new PairingById(this, on, in, byId, execution);
            }
        }
        return new PairingByQuery(this, in, execution);
    }

    /** What belongs to a document, one after the other. */
    Source partners(RawDocument document, Execution execution) {
        return foreign.open(on == null ? null : match(values(document, on), on), execution);
    }

    /** About what it takes on the heap to look for what belongs to a document; 0 if it is not much. */
    long keyBytes(RawDocument document) {
        return on == null ? 0 : Joined.heapBytes(document, on.local());
    }

    /** Each is one that a document of the other collection may have; a missing one is null. */
    static List<Value> values(RawDocument document, On on) {
        List<Value> values = Joined.values(document, on.local());
        return values.isEmpty() ? List.of(Value.NULL) : values;
    }

    private Match match(List<Value> values, On on) {
        return new Match(Joined.equal(on.foreign(), values, null, foreign.scope()));
    }

    /** All are evaluated before any is bound: a variable of an outer stage may be hidden by one of these. */
    List<@Nullable Value> evaluated(RawDocument document) {
        List<@Nullable Value> values = new ArrayList<>();
        for (Expression each : variables) {
            values.add(Expressions.evaluate(each, foreign.scope().environment(), document));
        }
        return values;
    }

    void bind(List<@Nullable Value> values) {
        for (int i = 0; i < values.size(); i++) {
            foreign.scope().environment().bind(firstSlot + i, values.get(i));
        }
    }

    /** An array of all that belongs to a document. */
    private final class Gathered implements Source {
        private final Pairing pairing;
        private final Execution execution;
        private long held;

        Gathered(Pairing pairing, Execution execution) {
            this.pairing = pairing;
            this.execution = execution;
        }

        @Override
        public @Nullable RawDocument next() {
            held = execution.holdInstead(held, 0);
            RawDocument document = pairing.document();
            if (document == null) {
                return null;
            }
            Environment environment = foreign.scope().environment();
            long mark = environment.mark();
            RawDocument result;
            try {
                result = isNewField(document) ? appended(document, environment) : replaced(document, environment);
            } finally {
                environment.release(mark);
            }
            held = execution.holdInstead(held, result.length());
            return result;
        }

        private boolean isNewField(RawDocument document) {
            return as.size() == 1 && document.get(as.partUtf8(0)) == null;
        }

        private RawDocument appended(RawDocument document, Environment environment) {
            BsonWriter writer = new BsonWriter(document.length() + 256);
            writer.copyAll(document).startArray(as.part(0));
            collect(writer, environment);
            return writer.end().finish();
        }

        private RawDocument replaced(RawDocument document, Environment environment) {
            BsonWriter found = new BsonWriter(256);
            collect(found, environment);
            return Nested.set(document, as, found.finishArray());
        }

        private void collect(BsonWriter into, Environment environment) {
            int start = into.length();
            long mark = environment.mark();
            for (RawDocument next = pairing.partner(); next != null; next = pairing.partner()) {
                into.add(next);
                environment.building(mark, into);
                if (into.length() - start > Limits.DOCUMENT_BYTES_MAX) {
                    throw new CommandException(
                            ErrorCode.location(4568),
                            "Total size of documents in %s matching pipeline's $lookup stage exceeds %d bytes",
                            String.valueOf(foreign.collection()),
                            Limits.DOCUMENT_BYTES_MAX);
                }
            }
        }

        @Override
        public void close() {
            pairing.close();
        }
    }

    /** A document for each that belongs to one, instead of an array of them. */
    private final class OneByOne implements Source {
        private final Pairing pairing;
        private final Execution execution;
        private final Unwind unwind;
        private @Nullable RawDocument document;
        private long position;
        private long held;

        OneByOne(Pairing pairing, Execution execution, Unwind unwind) {
            this.pairing = pairing;
            this.execution = execution;
            this.unwind = unwind;
        }

        @Override
        public @Nullable RawDocument next() {
            held = execution.holdInstead(held, 0);
            while (true) {
                RawDocument current = document;
                if (current != null) {
                    RawDocument next = pairing.partner();
                    if (next != null) {
                        return joined(current, Value.of(next), Value.of(position++));
                    }
                    document = null;
                    if (position == 0 && unwind.preserve()) {
                        return joined(current, null, Value.NULL);
                    }
                }
                document = pairing.document();
                position = 0;
                if (document == null) {
                    return null;
                }
            }
        }

        private RawDocument joined(RawDocument current, @Nullable Value belonging, Value index) {
            RawDocument result = Nested.set(current, as, belonging);
            if (unwind.index() != null) {
                result = Nested.set(result, unwind.index(), index);
            }
            held = execution.holdInstead(held, result.length());
            return result;
        }

        @Override
        public void close() {
            pairing.close();
        }
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
