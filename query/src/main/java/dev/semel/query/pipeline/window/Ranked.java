package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.value.Collation;
import dev.semel.query.value.Held;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code $minN $maxN $top $topN $bottom $bottomN}: the first few values of the window in some order. */
public final class Ranked {
    private static final long ENTRY_BYTES = 96;

    private Ranked() {}

    /** How the values are ordered, and whether the last few are wanted instead of the first ones. */
    private sealed interface Order {
        /** By the values themselves; null and missing ones do not count. */
        record ByValue(Collation collation, boolean greatest) implements Order {}

        /** By fields of the documents. */
        record ByFields(SortOrder order, boolean last) implements Order {}
    }

    public static WindowFunction minN(Expression input, int count, Window window, Collation collation) {
        return function(input, new Order.ByValue(collation, false), window, count, true);
    }

    public static WindowFunction maxN(Expression input, int count, Window window, Collation collation) {
        return function(input, new Order.ByValue(collation, true), window, count, true);
    }

    public static WindowFunction top(Expression output, SortOrder order, Window window) {
        return function(output, new Order.ByFields(order, false), window, 1, false);
    }

    public static WindowFunction topN(Expression output, SortOrder order, int count, Window window) {
        return function(output, new Order.ByFields(order, false), window, count, true);
    }

    public static WindowFunction bottom(Expression output, SortOrder order, Window window) {
        return function(output, new Order.ByFields(order, true), window, 1, false);
    }

    public static WindowFunction bottomN(Expression output, SortOrder order, int count, Window window) {
        return function(output, new Order.ByFields(order, true), window, count, true);
    }

    private static WindowFunction function(Expression output, Order order, Window window, int count, boolean several) {
        return partition -> new Framed<>(partition, window, new Best(output, order, partition, window, count, several));
    }

    /** A value with what decides its place; equal ones are in the order in which they came. Without a value it does not count. */
    private record Entry(
            SortOrder.Key key, long number, @Nullable Value value) {}

    private static final class Best implements Aggregate<Entry> {
        private final Expression output;
        private final Order order;
        private final Partition partition;
        private final boolean growing;
        private final int count;
        private final boolean several;
        private final TreeSet<Entry> entries;
        private long taken;

        Best(Expression output, Order order, Partition partition, Window window, int count, boolean several) {
            this.output = output;
            this.order = order;
            this.partition = partition;
            this.growing = window.isGrowing();
            this.count = count;
            this.several = several;
            Comparator<SortOrder.Key> keys = switch (order) {
                case Order.ByValue(Collation ignored, boolean greatest) -> {
                    Comparator<SortOrder.Key> ascending = (a, b) ->
                            ValueOrder.compare(a.values().getFirst(), b.values().getFirst());
                    yield greatest ? ascending.reversed() : ascending;
                }
                case Order.ByFields(SortOrder fields, boolean last) ->
                    last ? (a, b) -> fields.compare(b, a) : fields::compare;
            };
            this.entries = new TreeSet<>(Comparator.comparing(Entry::key, keys).thenComparingLong(Entry::number));
        }

        @Override
        public Entry take(RawDocument document) {
            Value value = Expressions.evaluate(output, partition.environment(), document);
            return switch (order) {
                case Order.ByValue(Collation collation, boolean ignored) ->
                    value == null || Held.isNullish(value)
                            ? new Entry(new SortOrder.Key(List.of()), taken++, null)
                            : new Entry(
                                    new SortOrder.Key(List.of(Held.copy(collation.key(value)))),
                                    taken++,
                                    Held.copy(value));
                case Order.ByFields(SortOrder fields, boolean ignored) ->
                    new Entry(
                            new SortOrder.Key(fields.key(document).values().stream()
                                    .map(Held::copy)
                                    .toList()),
                            taken++,
                            value == null ? Value.NULL : Held.copy(value));
            };
        }

        @Override
        public long bytes(Entry entry) {
            long bytes = ENTRY_BYTES + (entry.value() == null ? 0 : Held.bytes(entry.value()));
            for (Value value : entry.key().values()) {
                bytes += Held.bytes(value);
            }
            return bytes;
        }

        private long cost(Entry entry) {
            return growing ? bytes(entry) : ENTRY_BYTES;
        }

        @Override
        public void add(Entry entry) {
            if (entry.value() == null) {
                return;
            }
            if (growing) {
                partition.memory().chargeCollected(cost(entry));
            } else {
                partition.memory().charge(cost(entry));
            }
            entries.add(entry);
            if (growing && entries.size() > count) {
                partition.memory().release(cost(entries.removeLast()));
            }
        }

        @Override
        public void remove(Entry oldest, @Nullable Entry next) {
            if (oldest.value() != null) {
                entries.remove(oldest);
                partition.memory().release(cost(oldest));
            }
        }

        @Override
        public Value result() {
            if (!several) {
                Value first = entries.isEmpty() ? null : entries.getFirst().value();
                return first == null ? Value.NULL : first;
            }
            List<Entry> best = new ArrayList<>();
            for (Entry entry : entries) {
                if (best.size() == count) {
                    break;
                }
                best.add(entry);
            }
            ResultArray results = new ResultArray(partition.environment());
            boolean backwards = order instanceof Order.ByFields(SortOrder ignored, boolean last) && last;
            for (Entry entry : backwards ? best.reversed() : best) {
                results.add(entry.value() == null ? Value.NULL : entry.value());
            }
            return results.finish();
        }
    }
}
