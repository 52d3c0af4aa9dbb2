package dev.semel.query.pipeline;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Held;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code $graphLookup}: adds to each document an array of the documents that can be reached from it, each once and in as
 * few steps as possible.
 *
 * @param depth the field that gets the number of steps after which a document was found; null for none
 * @param stepsMax 0 for documents that are reached directly
 */
public record GraphLookup(
        DottedPath as,
        Foreign foreign,
        Expression start,
        DottedPath from,
        String to,
        long stepsMax,
        @Nullable DottedPath depth,
        @Nullable RawDocument restriction)
        implements Stage {
    static final String NAME = "$graphLookup";

    private static final int ENTRY_BYTES = 96;

    @Override
    public Source open(Source in, Execution execution) {
        return new Mapped(in, execution, document -> {
            var search = new Search(execution);
            try {
                return Nested.set(document, as, search.from(document));
            } finally {
                search.budget.releaseAll();
            }
        });
    }

    @Override
    public boolean collectFields(FieldSet into) {
        Expressions.collectFields(start, into);
        return false;
    }

    private final class Search {
        private final Execution execution;
        private final MemoryBudget budget;
        private final Map<Value, RawDocument> found = new TreeMap<>(ValueOrder::compare);
        private final BsonWriter inOrder = new BsonWriter(256);
        private final Set<Value> asked;
        private Set<Value> next;

        Search(Execution execution) {
            this.execution = execution;
            this.budget = execution.budget(NAME);
            this.asked = values();
            this.next = values();
        }

        private Set<Value> values() {
            Collation collation = foreign.scope().collation();
            return new TreeSet<>(collation::compare);
        }

        Value from(RawDocument document) {
            Value value = Expressions.evaluate(start, foreign.scope().environment(), document);
            if (value instanceof Value.Array(RawDocument elements)) {
                for (Element element : elements) {
                    lookFor(element.value());
                }
            } else if (value != null) {
                lookFor(value);
            }
            for (long step = 0; step <= stepsMax && !next.isEmpty(); step++) {
                step(step);
            }
            return inOrder.finishArray();
        }

        private void step(long step) {
            Set<Value> frontier = next;
            asked.addAll(frontier);
            next = values();
            RawDocument further = frontier.contains(Value.NULL) ? withField() : restriction;
            Match match = new Match(Joined.equal(to, frontier, further, foreign.scope()));
            try (Source source = foreign.open(match, execution)) {
                for (RawDocument each = source.next(); each != null; each = source.next()) {
                    execution.environment().checkpoint();
                    add(each, step);
                }
            }
        }

        /** A query for null finds missing fields as well, which connect nothing. */
        private RawDocument withField() {
            BsonWriter filter = new BsonWriter(128)
                    .startArray("$and")
                    .startDocument()
                    .startDocument(to)
                    .put("$exists", true)
                    .end()
                    .end();
            if (restriction != null) {
                filter.add(restriction);
            }
            return filter.end().finish();
        }

        private void add(RawDocument document, long step) {
            Value id = document.get("_id");
            if (found.putIfAbsent(id == null ? Value.NULL : id, document) != null) {
                return;
            }
            budget.charge(2L * document.length() + ENTRY_BYTES);
            inOrder.add(depth == null ? document : Nested.set(document, depth, Value.of(step)));
            long bytes = Joined.heapBytes(document, from);
            budget.charge(bytes);
            for (Value value : Joined.values(document, from)) {
                if (!asked.contains(value)) {
                    lookFor(value);
                }
            }
            budget.release(bytes);
        }

        private void lookFor(Value value) {
            if (next.add(value)) {
                budget.charge(Joined.VALUE_BYTES + Held.bytes(value));
            }
        }
    }
}
