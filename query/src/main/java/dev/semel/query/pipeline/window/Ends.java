package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** {@code $first $last $shift}: the value of one document, at an end of the window. */
public final class Ends {
    private Ends() {}

    public static WindowFunction first(Expression input, Window window) {
        return partition -> new End(partition, window, input, true, Value.NULL);
    }

    public static WindowFunction last(Expression input, Window window) {
        return partition -> new End(partition, window, input, false, Value.NULL);
    }

    /** The value of the document that is so many away; the default if there is none. */
    public static WindowFunction shift(Expression output, int by, @Nullable Value otherwise) {
        Bound distance = new Bound.Offset(Value.of(by));
        Window one = new Window.Documents(distance, distance);
        return partition -> new End(partition, one, output, true, otherwise == null ? Value.NULL : otherwise);
    }

    private static final class End implements WindowFunction.Run {
        private final Partition partition;
        private final Frame frame;
        private final boolean growing;
        private final Expression input;
        private final boolean atBeginning;
        private final Value otherwise;
        private final Kept kept;

        /** The document whose value is {@link #value}. */
        private long evaluated = -1;

        private @Nullable Value value;

        End(Partition partition, Window window, Expression input, boolean atBeginning, Value otherwise) {
            this.partition = partition;
            this.frame = window.frame(partition);
            this.growing = window.isGrowing();
            this.input = input;
            this.atBeginning = atBeginning;
            this.otherwise = otherwise;
            this.kept = new Kept(partition);
        }

        @Override
        public @Nullable Value value(long current) {
            frame.moveTo(current);
            if (frame.isEmpty()) {
                return otherwise;
            }
            long wanted = atBeginning ? frame.first() : frame.last();
            if (wanted != evaluated) {
                Value found = Expressions.evaluate(input, partition.environment(), partition.document(wanted));
                value = kept.copy(found);
                evaluated = wanted;
            }
            return value;
        }

        @Override
        public long needed() {
            long next = atBeginning ? growing && evaluated == 0 ? Long.MAX_VALUE : frame.first() : frame.last();
            return Math.min(Math.max(next, 0), frame.needed());
        }
    }
}
