package dev.semel.query.pipeline;

import dev.semel.query.expression.Deviation;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.Sum;
import dev.semel.query.value.Held;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** The accumulators that keep one value or a number: totals, extremes, ends, merged objects; and whole arrays. */
final class Accumulators {
    /** What a state costs beside the values it holds. */
    static final int STATE_BYTES = 64;

    /** The name of the accumulator that looks at nothing but the first document of a group. */
    static final String FIRST = "$first";

    /** The same for the last one. */
    static final String LAST = "$last";

    private Accumulators() {}

    private abstract static class Totalling implements Accumulator {
        final Sum sum = new Sum();

        @Override
        public void add(@Nullable Value value, RawDocument document) {
            sum.add(value);
        }

        @Override
        public void add(byte type, int at, RawDocument document) {
            sum.add(type, document.array(), at);
        }

        @Override
        public Value state() {
            return sum.state();
        }

        @Override
        public void combine(Value state) {
            sum.add(Sum.of(state));
        }
    }

    static Accumulator sum(Gathering.Start start) {
        start.budget().charge(STATE_BYTES);
        return new Totalling() {
            @Override
            public Value result() {
                return sum.total();
            }
        };
    }

    static Accumulator average(Gathering.Start start) {
        start.budget().charge(STATE_BYTES);
        return new Totalling() {
            @Override
            public Value result() {
                return sum.average();
            }
        };
    }

    private abstract static class Deviating implements Accumulator {
        final Deviation deviation = new Deviation();

        @Override
        public void add(@Nullable Value value, RawDocument document) {
            deviation.add(value);
        }

        @Override
        public Value state() {
            return deviation.state();
        }

        @Override
        public void combine(Value state) {
            deviation.add(Deviation.of(state));
        }
    }

    static Accumulator stdDevPop(Gathering.Start start) {
        start.budget().charge(STATE_BYTES);
        return new Deviating() {
            @Override
            public Value result() {
                return deviation.ofPopulation();
            }
        };
    }

    static Accumulator stdDevSamp(Gathering.Start start) {
        start.budget().charge(STATE_BYTES);
        return new Deviating() {
            @Override
            public Value result() {
                return deviation.ofSample();
            }
        };
    }

    /** Holds one value, copied out of the document it came from. */
    private abstract static class Holding implements Accumulator {
        private final MemoryBudget budget;

        @Nullable
        Value held;

        private int heldBytes;

        Holding(MemoryBudget budget) {
            this.budget = budget;
            budget.charge(STATE_BYTES);
        }

        void hold(@Nullable Value value) {
            budget.release(heldBytes);
            heldBytes = value == null ? 0 : Held.bytes(value);
            budget.charge(heldBytes);
            held = value == null ? null : Held.copy(value);
        }

        @Override
        public Value result() {
            Value value = held;
            return value == null ? Value.NULL : value;
        }

        @Override
        public Value state() {
            return result();
        }

        @Override
        public void combine(Value state) {
            add(state, RawDocument.EMPTY);
        }
    }

    static Accumulator min(Gathering.Start start) {
        return extreme(start, -1);
    }

    static Accumulator max(Gathering.Start start) {
        return extreme(start, 1);
    }

    private static Accumulator extreme(Gathering.Start start, int direction) {
        return new Holding(start.budget()) {
            @Override
            public void add(@Nullable Value value, RawDocument document) {
                if (!Held.isNullish(value)
                        && (held == null || start.collation().compare(value, held) * direction > 0)) {
                    hold(value);
                }
            }
        };
    }

    static Accumulator first(Gathering.Start start) {
        return new Holding(start.budget()) {
            private boolean seen;

            @Override
            public void add(@Nullable Value value, RawDocument document) {
                if (!seen) {
                    seen = true;
                    hold(value);
                }
            }

            @Override
            public void add(byte type, int at, RawDocument document) {
                if (!seen) {
                    super.add(type, at, document);
                }
            }
        };
    }

    static Accumulator last(Gathering.Start start) {
        return new Holding(start.budget()) {
            @Override
            public void add(@Nullable Value value, RawDocument document) {
                hold(value);
            }
        };
    }

    static Accumulator mergeObjects(Gathering.Start start) {
        return new Holding(start.budget()) {
            {
                hold(Value.of(RawDocument.EMPTY));
            }

            @Override
            public void add(@Nullable Value value, RawDocument document) {
                if (held instanceof Value.Doc(RawDocument merged)) {
                    hold(Value.of(Expressions.merge(merged, value)));
                }
            }
        };
    }

    /** Adds the elements of a state one by one. */
    abstract static class Collecting implements Accumulator {
        @Override
        public Value state() {
            return result();
        }

        @Override
        public void combine(Value state) {
            if (state instanceof Value.Array(RawDocument elements)) {
                elements.forEach(each -> add(each.value(), RawDocument.EMPTY));
            }
        }
    }

    static Accumulator push(Gathering.Start start) {
        start.budget().charge(STATE_BYTES);
        return new Collecting() {
            private final BsonWriter all = new BsonWriter(32);
            private @Nullable Value finished;

            @Override
            public void add(@Nullable Value value, RawDocument document) {
                if (value != null) {
                    int before = all.length();
                    all.add(value);
                    start.budget().charge(all.length() - before);
                }
            }

            @Override
            public Value result() {
                Value result = finished == null ? all.finishArray() : finished;
                finished = result;
                return result;
            }
        };
    }

    static Accumulator addToSet(Gathering.Start start) {
        start.budget().charge(STATE_BYTES);
        return new Collecting() {
            private final KeyTable set = new KeyTable(start.budget(), start.collation());

            @Override
            public void add(@Nullable Value value, RawDocument document) {
                if (value != null) {
                    set.number(value);
                }
            }

            @Override
            public void add(byte type, int at, RawDocument document) {
                if (type != FieldLocator.MISSING) {
                    set.number(type, document.array(), at);
                }
            }

            @Override
            public Value result() {
                BsonWriter all = new BsonWriter(64);
                for (int i = 0; i < set.size(); i++) {
                    all.add(set.value(i));
                }
                return all.finishArray();
            }
        };
    }
}
