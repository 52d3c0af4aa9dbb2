package dev.semel.query.pipeline;

import dev.semel.query.value.Held;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** {@code $firstN $lastN $minN $maxN $top $topN $bottom $bottomN}. */
final class SeveralAccumulators {
    private static final int ENTRY_BYTES = 48;

    private SeveralAccumulators() {}

    private static Value present(@Nullable Value value) {
        return value == null ? Value.NULL : Held.copy(value);
    }

    private static Value array(Iterable<Value> values) {
        BsonWriter writer = new BsonWriter(64);
        values.forEach(writer::add);
        return writer.finishArray();
    }

    static Accumulator firstN(Gathering.Start start) {
        start.budget().charge(Accumulators.STATE_BYTES);
        return new Accumulators.Collecting() {
            private final List<Value> values = new ArrayList<>();

            @Override
            public void add(@Nullable Value value, RawDocument document) {
                if (values.size() < start.count()) {
                    Value held = present(value);
                    start.budget().charge(Held.bytes(held));
                    values.add(held);
                }
            }

            @Override
            public Value result() {
                return array(values);
            }
        };
    }

    static Accumulator lastN(Gathering.Start start) {
        start.budget().charge(Accumulators.STATE_BYTES);
        return new Accumulators.Collecting() {
            private final ArrayDeque<Value> values = new ArrayDeque<>();

            @Override
            public void add(@Nullable Value value, RawDocument document) {
                if (values.size() == start.count()) {
                    start.budget().release(Held.bytes(values.removeFirst()));
                }
                Value held = present(value);
                start.budget().charge(Held.bytes(held));
                values.addLast(held);
            }

            @Override
            public Value result() {
                return array(values);
            }
        };
    }

    /** A value with what decides its place; equal ones keep the order in which they came. */
    private record Ranked(SortOrder.Key key, long number, Value value) {}

    /** Keeps the first few of an order. */
    private abstract static class Best implements Accumulator {
        private final Gathering.Start start;
        private final Comparator<Ranked> order;
        private final PriorityQueue<Ranked> best;
        private long number;

        Best(Gathering.Start start, Comparator<SortOrder.Key> keys) {
            this.start = start;
            this.order = Comparator.comparing(Ranked::key, keys).thenComparingLong(Ranked::number);
            this.best = new PriorityQueue<>(order.reversed());
            start.budget().charge(Accumulators.STATE_BYTES);
        }

        void offer(SortOrder.Key key, @Nullable Value value) {
            Ranked ranked = new Ranked(key, number++, value == null ? Value.NULL : value);
            Ranked worst = best.peek();
            boolean full = best.size() >= start.count();
            if (full && worst != null && order.compare(ranked, worst) >= 0) {
                return;
            }
            if (full) {
                best.poll();
                release(worst);
            }
            List<Value> values = key.values().stream().map(Held::copy).toList();
            Ranked held = new Ranked(new SortOrder.Key(values), ranked.number, Held.copy(ranked.value));
            start.budget().charge(bytes(held));
            best.add(held);
        }

        private void release(@Nullable Ranked ranked) {
            if (ranked != null) {
                start.budget().release(bytes(ranked));
            }
        }

        private static int bytes(Ranked ranked) {
            int bytes = ENTRY_BYTES + Held.bytes(ranked.value);
            for (Value value : ranked.key.values()) {
                bytes += Held.bytes(value);
            }
            return bytes;
        }

        private List<Ranked> ranked() {
            List<Ranked> sorted = new ArrayList<>(best);
            sorted.sort(order);
            return sorted;
        }

        List<Value> values() {
            return new ArrayList<>(ranked().stream().map(Ranked::value).toList());
        }

        /** In its order, of each the value and then what decides its place. */
        @Override
        public Value state() {
            BsonWriter all = new BsonWriter(128);
            for (Ranked each : ranked()) {
                all.startArray().add(each.value);
                each.key.values().forEach(all::add);
                all.end();
            }
            return all.finishArray();
        }

        @Override
        public void combine(Value state) {
            if (state instanceof Value.Array(RawDocument all)) {
                for (Element each : all) {
                    if (each.value() instanceof Value.Array(RawDocument parts)) {
                        List<Value> values = new ArrayList<>();
                        parts.forEach(part -> values.add(part.value()));
                        offer(new SortOrder.Key(List.copyOf(values.subList(1, values.size()))), values.getFirst());
                    }
                }
            }
        }

        @Override
        public Value result() {
            return array(values());
        }
    }

    static Accumulator minN(Gathering.Start start) {
        return extremes(start, (a, b) -> compare(a, b));
    }

    static Accumulator maxN(Gathering.Start start) {
        return extremes(start, (a, b) -> compare(b, a));
    }

    private static int compare(SortOrder.Key a, SortOrder.Key b) {
        return ValueOrder.compare(a.values().getFirst(), b.values().getFirst());
    }

    private static Accumulator extremes(Gathering.Start start, Comparator<SortOrder.Key> keys) {
        return new Best(start, keys) {
            @Override
            public void add(@Nullable Value value, RawDocument document) {
                if (value != null && !Held.isNullish(value)) {
                    offer(new SortOrder.Key(List.of(start.collation().key(value))), value);
                }
            }
        };
    }

    private static class Top extends Best {
        private final SortOrder sort;

        Top(Gathering.Start start, SortOrder sort) {
            super(start, sort::compare);
            this.sort = sort;
        }

        @Override
        public void add(@Nullable Value value, RawDocument document) {
            offer(sort.key(document), value);
        }
    }

    /** The last few of an order are the first few of its reverse, to be read backwards. */
    private static class Bottom extends Best {
        private final SortOrder sort;

        Bottom(Gathering.Start start, SortOrder sort) {
            super(start, (a, b) -> sort.compare(b, a));
            this.sort = sort;
        }

        @Override
        public void add(@Nullable Value value, RawDocument document) {
            offer(sort.key(document), value);
        }

        @Override
        List<Value> values() {
            return super.values().reversed();
        }
    }

    static Accumulator topN(Gathering.Start start) {
        return new Top(start, start.requiredOrder());
    }

    static Accumulator bottomN(Gathering.Start start) {
        return new Bottom(start, start.requiredOrder());
    }

    static Accumulator top(Gathering.Start start) {
        return new Top(start, start.requiredOrder()) {
            @Override
            public Value result() {
                return values().getFirst();
            }
        };
    }

    static Accumulator bottom(Gathering.Start start) {
        return new Bottom(start, start.requiredOrder()) {
            @Override
            public Value result() {
                return values().getFirst();
            }
        };
    }
}
