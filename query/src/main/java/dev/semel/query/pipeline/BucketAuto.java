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
import java.util.Comparator;
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
    private static final String NAME = "$bucketAuto";
    private static final int ENTRY_BYTES = 64;

    @Override
    public Source open(Source in, Execution execution) {
        return new Bucketed(in, execution);
    }

    private record Entry(Value value, long number, RawDocument document) implements NumberedFormat.Numbered {
        int bytes() {
            return document.length() + ENTRY_BYTES;
        }
    }

    private record Format(Expression groupBy, @Nullable Granularity granularity, Environment environment)
            implements NumberedFormat<Entry> {
        @Override
        public Entry entry(RawDocument document, long number) {
            Value value = Expressions.evaluate(groupBy, environment, document);
            if (granularity != null) {
                Granularity.check(value);
            }
            return new Entry(value == null ? Value.NULL : value, number, document);
        }
    }

    private final class Bucketed implements Source {
        private final Source in;
        private final Environment environment;
        private final Format format;
        private final Sorter<Entry> sorter;
        private final DocumentBuffer bucket;
        private final MemoryBudget budget;

        /** What the next bucket begins with. */
        private @Nullable Entry first;

        /** The upper bound of the bucket before that. */
        private @Nullable Value upper;

        private boolean isRead;
        private int made;

        Bucketed(Source in, Execution execution) {
            Comparator<Entry> byValue = Comparator.comparing(Entry::value, collation::compare);
            this.in = in;
            this.environment = execution.environment();
            this.format = new Format(groupBy, granularity, environment);
            this.sorter = new Sorter<>(
                    byValue.thenComparingLong(Entry::number),
                    0,
                    format,
                    Entry::bytes,
                    execution.spillingBudget(NAME),
                    environment::checkpoint);
            environment.opened(sorter);
            this.bucket = new DocumentBuffer(execution.spillingBudget(NAME));
            this.budget = execution.spillingBudget(NAME);
        }

        @Override
        public @Nullable RawDocument next() {
            if (!isRead) {
                isRead = true;
                for (RawDocument next = in.next(); next != null; next = in.next()) {
                    environment.checkpoint();
                    sorter.add(format.entry(next, sorter.added()));
                }
                first = sorter.next();
            }
            return first == null ? null : bucket(first);
        }

        /** Its documents are kept until it is known where the next one begins, which is a part of its {@code _id}. */
        private RawDocument bucket(Entry from) {
            long size = Math.max(1, Math.round((double) sorter.added() / buckets));
            made++;
            bucket.clear();
            Value min =
                    granularity == null ? from.value() : upper == null ? granularity.roundDown(from.value()) : upper;
            Entry last = from;
            Entry next = from;
            while (next != null && (made == buckets || bucket.size() < size)) {
                last = next;
                next = take(next);
            }
            Value full = last.value();
            Value boundary = granularity == null ? full : granularity.roundUp(full);
            while (next != null && belongs(next.value(), full, boundary)) {
                last = next;
                next = take(next);
            }
            first = next;
            Value max = upper(last.value(), next);
            upper = max;
            return result(
                    Value.of(new BsonWriter(64).put("min", min).put("max", max).finish()));
        }

        private @Nullable Entry take(Entry entry) {
            environment.checkpoint();
            bucket.add(entry.document());
            return sorter.next();
        }

        /** What equals the last value of a full bucket belongs to it, and what is below the boundary that it is rounded to. */
        private boolean belongs(Value value, Value full, Value boundary) {
            return collation.equal(full, value) || collation.compare(value, boundary) < 0;
        }

        /** The upper bound of a bucket, which is the lower one of the next. */
        private Value upper(Value last, @Nullable Entry next) {
            if (granularity == null) {
                return next == null ? last : next.value();
            }
            Value boundary = granularity.roundUp(last);
            return next != null && Numbers.isZero(boundary) ? granularity.roundDown(next.value()) : boundary;
        }

        private RawDocument result(Value id) {
            List<Accumulator> states = output.stream()
                    .map(field -> field.gathering().start(budget, environment, id, collation))
                    .toList();
            Source documents = bucket.read();
            for (RawDocument each = documents.next(); each != null; each = documents.next()) {
                environment.checkpoint();
                for (int i = 0; i < states.size(); i++) {
                    Expression argument = output.get(i).gathering().argument();
                    states.get(i).add(Expressions.evaluate(argument, environment, each), each);
                }
            }
            BsonWriter result = new BsonWriter(128).put("_id", id);
            for (int i = 0; i < states.size(); i++) {
                result.put(output.get(i).name(), states.get(i).result());
            }
            budget.releaseAll();
            return result.finish();
        }

        @Override
        public void close() {
            in.close();
            isRead = true;
            first = null;
            environment.closed(sorter);
            sorter.close();
            bucket.close();
        }
    }

    @Override
    public boolean collectFields(FieldSet into) {
        Expressions.collectFields(groupBy, into);
        output.forEach(field -> field.gathering().collectFields(into));
        return true;
    }
}
