package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.value.Collation;
import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code $bucketAuto}: a number of buckets of about equal size; equal values are never in two of them.
 *
 * @param granularity which boundaries may be chosen; null for the values themselves
 */
public record BucketAuto(
        Expression groupBy,
        int buckets,
        List<Group.Field> output,
        @Nullable Granularity granularity,
        Collation collation)
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
            if (granularity != null) {
                Granularity.check(value);
            }
            entries.add(new Entry(value == null ? Value.NULL : value, next));
            budget.charge(next.length() + ENTRY_BYTES);
        }
        entries.sort(Comparator.comparing(Entry::value, collation::compare));
        long size = Math.max(1, Math.round((double) entries.size() / buckets));
        List<RawDocument> results = new ArrayList<>();
        Value upper = null;
        for (int from = 0; from < entries.size(); ) {
            int to = results.size() == buckets - 1 ? entries.size() : (int) Math.min(entries.size(), from + size);
            Value first = entries.get(from).value();
            Value lower = granularity == null ? first : upper == null ? granularity.roundDown(first) : upper;
            Value last = entries.get(to - 1).value();
            to = end(entries, to, last);
            upper = upper(entries, to, last);
            results.add(result(entries.subList(from, to), lower, upper, budget, execution.environment()));
            from = to;
        }
        return results;
    }

    /** What equals the last value of a bucket belongs to it, and what is below the boundary that it is rounded to. */
    private int end(List<Entry> entries, int from, Value last) {
        Value boundary = granularity == null ? last : granularity.roundUp(last);
        int to = from;
        while (to < entries.size()
                && (collation.equal(last, entries.get(to).value())
                        || collation.compare(entries.get(to).value(), boundary) < 0)) {
            to++;
        }
        return to;
    }

    /** The upper bound of a bucket, which is the lower one of the next. */
    private Value upper(List<Entry> entries, int to, Value last) {
        boolean hasNext = to < entries.size();
        if (granularity == null) {
            return hasNext ? entries.get(to).value() : last;
        }
        Value boundary = granularity.roundUp(entries.get(to - 1).value());
        boolean isZero = Numbers.isZero(boundary);
        return isZero && hasNext ? granularity.roundDown(entries.get(to).value()) : boundary;
    }

    private RawDocument result(
            List<Entry> entries, Value min, Value max, MemoryBudget budget, Environment environment) {
        Value id = Value.of(new BsonWriter(64).put("min", min).put("max", max).finish());
        BsonWriter result = new BsonWriter(128).put("_id", id);
        for (Group.Field field : output) {
            Accumulator state = field.gathering().start(budget, environment, id, collation);
            for (Entry entry : entries) {
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
