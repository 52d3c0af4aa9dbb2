package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Expression;
import dev.semel.query.value.Collation;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.bson.BsonWriter;
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
                return array(values.iterator(), values.size());
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
                return array(values.iterator(), count);
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
                BsonWriter results = new BsonWriter(64);
                last.forEach(results::add);
                return results.finishArray();
            }
        });
    }

    private static Value array(Iterator<OfInput.Taken> values, int count) {
        BsonWriter results = new BsonWriter(64);
        for (int i = 0; i < count && values.hasNext(); i++) {
            results.add(values.next().present());
        }
        return results.finishArray();
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
            if (keeps(taken)) {
                memory().charge(cost(taken));
                values.addLast(taken);
            }
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
        return partition -> new Framed<>(partition, window, new Distinct(input, partition, collation));
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
            long copies;

            Member(Value value) {
                this.value = value;
            }
        }

        private final Map<Key, Member> members = new LinkedHashMap<>();
        private final Collation collation;

        Distinct(Expression input, Partition partition, Collation collation) {
            super(input, partition);
            this.collation = collation;
        }

        private Key key(Value value) {
            return new Key(collation.key(value));
        }

        private long cost(Taken taken) {
            return 3 * ENTRY_BYTES + bytes(taken);
        }

        @Override
        public void add(Taken taken) {
            Value value = taken.value();
            if (value != null) {
                members.computeIfAbsent(key(value), key -> {
                            memory().charge(cost(taken));
                            return new Member(value);
                        })
                        .copies++;
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
                memory().release(cost(new Taken(member.value)));
            }
        }

        @Override
        public Value result() {
            BsonWriter results = new BsonWriter(64);
            members.values().forEach(member -> results.add(member.value));
            return results.finishArray();
        }
    }
}
