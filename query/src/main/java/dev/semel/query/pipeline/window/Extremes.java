package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Expression;
import dev.semel.query.value.Collation;
import dev.semel.wire.bson.Value;
import java.util.ArrayDeque;

/** {@code $min $max}: null and missing values do not count. */
public final class Extremes {
    private static final int ENTRY_BYTES = 40;

    private Extremes() {}

    public static WindowFunction min(Expression input, Window window, Collation collation) {
        return partition -> new Framed<>(partition, window, new Extreme(input, partition, window, collation, -1));
    }

    public static WindowFunction max(Expression input, Window window, Collation collation) {
        return partition -> new Framed<>(partition, window, new Extreme(input, partition, window, collation, 1));
    }

    /** A value that is not exceeded by one that came later, so it becomes the result when those before it have left. */
    private record Candidate(long number, Value value) {}

    private static final class Extreme extends OfInput {
        private final ArrayDeque<Candidate> candidates = new ArrayDeque<>();
        private final boolean growing;
        private final Collation collation;
        private final int direction;
        private long added;
        private long removed;

        Extreme(Expression input, Partition partition, Window window, Collation collation, int direction) {
            super(input, partition);
            this.growing = window.isGrowing();
            this.collation = collation;
            this.direction = direction;
        }

        /** What leaves is known by its number. */
        @Override
        public boolean removesFirst() {
            return true;
        }

        @Override
        public void add(Taken taken) {
            long number = added++;
            Value value = taken.value();
            if (value == null || taken.isNullish()) {
                return;
            }
            Candidate first = candidates.peekFirst();
            if (growing && first != null && exceeds(first.value(), value)) {
                return;
            }
            for (Candidate last = candidates.peekLast();
                    last != null && !exceeds(last.value(), value);
                    last = candidates.peekLast()) {
                candidates.removeLast();
                memory().release(bytes(last));
            }
            Candidate candidate = new Candidate(number, value);
            memory().charge(bytes(candidate));
            candidates.addLast(candidate);
        }

        /** Whether the later value cannot become the result while the earlier one is in. */
        private boolean exceeds(Value earlier, Value later) {
            int order = collation.compare(earlier, later) * direction;
            // Of equal values the least is the first one, the greatest is the last one unless nothing leaves the
            // window.
            return order > 0 || (order == 0 && (growing || direction < 0));
        }

        private long bytes(Candidate candidate) {
            return ENTRY_BYTES + bytes(new Taken(candidate.value()));
        }

        @Override
        public void removeFirst() {
            long number = removed++;
            Candidate first = candidates.peekFirst();
            if (first != null && first.number() == number) {
                candidates.removeFirst();
                memory().release(bytes(first));
            }
        }

        @Override
        public Value result() {
            Candidate first = candidates.peekFirst();
            return first == null ? Value.NULL : first.value();
        }
    }
}
