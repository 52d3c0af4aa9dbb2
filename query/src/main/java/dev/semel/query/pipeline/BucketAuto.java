package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.value.Collation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code $bucketAuto}: a number of buckets of about equal size; equal values are never in two of them. */
public record BucketAuto(Expression groupBy, int buckets, List<Group.Field> output, Collation collation)
        implements Stage {
    private static final int ENTRY_BYTES = 64;

    private record Entry(Value value, RawDocument document) {}

    @Override
    public Source open(Source in, Execution execution) {
        return new Source() {
            private @Nullable Iterator<RawDocument> results;

            @Override
            public @Nullable RawDocument next() {
                if (results == null) {
                    results = results(in, execution).iterator();
                }
                return results.hasNext() ? results.next() : null;
            }

            @Override
            public void close() {
                in.close();
                results = List.<RawDocument>of().iterator();
            }
        };
    }

    private List<RawDocument> results(Source in, Execution execution) {
        MemoryBudget budget = execution.budget("$bucketAuto");
        List<Entry> entries = new ArrayList<>();
        for (RawDocument next = in.next(); next != null; next = in.next()) {
            execution.environment().checkpoint();
            Value value = Expressions.evaluate(groupBy, execution.environment(), next);
            entries.add(new Entry(value == null ? Value.NULL : value, next));
            budget.charge(next.length() + ENTRY_BYTES);
        }
        entries.sort(Comparator.comparing(Entry::value, collation::compare));
        long size = Math.max(1, Math.round((double) entries.size() / buckets));
        List<RawDocument> results = new ArrayList<>();
        for (int from = 0; from < entries.size(); ) {
            int to = results.size() == buckets - 1 ? entries.size() : end(entries, from, size);
            results.add(result(entries, from, to, budget, execution.environment()));
            from = to;
        }
        return results;
    }

    /** What equals the last value of a bucket belongs to it. */
    private int end(List<Entry> entries, int from, long size) {
        int to = (int) Math.min(entries.size(), from + size);
        while (to < entries.size()
                && collation.equal(entries.get(to - 1).value(), entries.get(to).value())) {
            to++;
        }
        return to;
    }

    private RawDocument result(List<Entry> entries, int from, int to, MemoryBudget budget, Environment environment) {
        Value min = entries.get(from).value();
        Value max = entries.get(Math.min(to, entries.size() - 1)).value();
        Value id = Value.of(new BsonWriter(64).put("min", min).put("max", max).finish());
        BsonWriter result = new BsonWriter(128).put("_id", id);
        for (Group.Field field : output) {
            Accumulator state = field.gathering().start(budget, environment, id, collation);
            for (Entry entry : entries.subList(from, to)) {
                state.add(
                        Expressions.evaluate(field.gathering().argument(), environment, entry.document()),
                        entry.document());
            }
            result.put(field.name(), state.result());
        }
        return result.finish();
    }

    @Override
    public boolean collectFields(FieldSet into) {
        Expressions.collectFields(groupBy, into);
        output.forEach(field -> field.gathering().collectFields(into));
        return true;
    }
}
