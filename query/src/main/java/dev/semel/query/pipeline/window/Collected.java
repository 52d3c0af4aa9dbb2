package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Expression;
import dev.semel.query.value.Collation;
import dev.semel.query.value.Held;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.bson.Value;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code $push $addToSet $firstN $lastN}: the values of the window themselves. */
public final class Collected {
    private static final int ENTRY_BYTES = 32;

    private Collected() {}

    public static WindowFunction push(Expression input, Window window) {
        return partition -> new Framed<>(partition, window, new Values(input, partition, window) {
            @Override
            boolean keeps(Taken taken) {
                return taken.value() != null;
            }

            @Override
            public Value result() {
                return firstOf(values.size());
            }
        });
    }

    public static WindowFunction firstN(Expression input, int count, Window window) {
        return partition -> new Framed<>(partition, window, new Values(input, partition, window) {
            @Override
            boolean keeps(Taken taken) {
                return !growing || values.size() < count;
            }

            @Override
            public Value result() {
                return firstOf(count);
            }
        });
    }

    public static WindowFunction lastN(Expression input, int count, Window window) {
        return partition -> new Framed<>(partition, window, new Values(input, partition, window) {
            @Override
            boolean keeps(Taken taken) {
                if (growing && values.size() == count) {
                    drop();
                }
                return true;
            }

            @Override
            public Value result() {
                ArrayDeque<Value> last = new ArrayDeque<>();
                Iterator<Taken> backwards = values.descendingIterator();
                while (backwards.hasNext() && last.size() < count) {
                    last.addFirst(backwards.next().present());
                }
                ResultArray results = resultArray();
                last.forEach(results::add);
                return results.finish();
            }
        });
    }

    /** Those of the window that are kept, in order. */
    private abstract static class Values extends OfInput {
        final ArrayDeque<Taken> values = new ArrayDeque<>();
        final boolean growing;

        Values(Expression input, Partition partition, Window window) {
            super(input, partition);
            this.growing = window.isGrowing();
        }

        abstract boolean keeps(Taken taken);

        @Override
        public void add(Taken taken) {
            if (!keeps(taken)) {
                return;
            }
            if (growing) {
                memory().chargeCollected(cost(taken));
            } else {
                memory().charge(cost(taken));
            }
            values.addLast(taken);
        }

        Value firstOf(int count) {
            ResultArray results = resultArray();
            Iterator<Taken> each = values.iterator();
            for (int i = 0; i < count && each.hasNext(); i++) {
                results.add(each.next().present());
            }
            return results.finish();
        }

        private long cost(Taken taken) {
            return ENTRY_BYTES + (growing ? bytes(taken) : 0);
        }

        void drop() {
            memory().release(cost(values.removeFirst()));
        }

        @Override
        public void remove(Taken oldest, @Nullable Taken next) {
            if (values.peekFirst() == oldest) {
                drop();
            }
        }
    }

    public static WindowFunction addToSet(Expression input, Window window, Collation collation) {
        return partition -> new Framed<>(partition, window, new Distinct(input, partition, window, collation));
    }

    /** A value that equals others as they do in filters: 1 and 1.0 are one. */
    private record Key(Value value) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key(Value that) && ValueOrder.equal(value, that);
        }

        @Override
        public int hashCode() {
            return ValueOrder.hash(value);
        }
    }

    private static final class Distinct extends OfInput {
        private static final class Member {
            final Value value;
            final long cost;
            long copies;

            Member(Value value, long cost) {
                this.value = value;
                this.cost = cost;
            }
        }

        private final Map<Key, Member> members = new LinkedHashMap<>();
        private final boolean growing;
        private final Collation collation;

        Distinct(Expression input, Partition partition, Window window, Collation collation) {
            super(input, partition);
            this.growing = window.isGrowing();
            this.collation = collation;
        }

        private Key key(Value value) {
            return new Key(collation.key(value));
        }

        private Member charged(Value value, Key key) {
            long cost = 3L * ENTRY_BYTES + Held.bytes(value) + (key.value() == value ? 0 : Held.bytes(key.value()));
            if (growing) {
                memory().chargeCollected(cost);
            } else {
                memory().charge(cost);
            }
            return new Member(value, cost);
        }

        @Override
        public void add(Taken taken) {
            Value value = taken.value();
            if (value != null) {
                members.computeIfAbsent(key(value), key -> charged(value, key)).copies++;
            }
        }

        @Override
        public void remove(Taken oldest, @Nullable Taken next) {
            Value value = oldest.value();
            if (value == null) {
                return;
            }
            Key key = key(value);
            Member member = members.get(key);
            if (member != null && --member.copies == 0) {
                members.remove(key);
                memory().release(member.cost);
            }
        }

        @Override
        public Value result() {
            ResultArray results = resultArray();
            members.values().forEach(member -> results.add(member.value));
            return results.finish();
        }
    }
}
