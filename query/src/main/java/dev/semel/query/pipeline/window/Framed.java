package dev.semel.query.pipeline.window;

import dev.semel.wire.bson.Value;
import java.util.ArrayDeque;

/** An aggregate over a moving window. */
final class Framed<T> implements WindowFunction.Run {
    private static final int ENTRY_BYTES = 16;

    private final Partition partition;
    private final Frame frame;
    private final boolean growing;
    private final Aggregate<T> aggregate;

    /** What is in the window; nothing is kept if nothing ever leaves it. */
    private final ArrayDeque<T> inside = new ArrayDeque<>();

    /** The number of the first of them. */
    private long oldest;

    /** The next document that has not come into sight. */
    private long next;

    Framed(Partition partition, Window window, Aggregate<T> aggregate) {
        this.partition = partition;
        this.frame = window.frame(partition);
        this.growing = window.isGrowing();
        this.aggregate = aggregate;
    }

    @Override
    public Value value(long current) {
        frame.moveTo(current);
        while (!inside.isEmpty() && oldest < frame.first()) {
            remove();
        }
        next = Math.max(next, frame.first());
        for (; next <= frame.last(); next++) {
            add();
        }
        return aggregate.result();
    }

    private void add() {
        partition.environment().checkpoint();
        T taken = aggregate.take(partition.document(next));
        if (!growing) {
            if (inside.isEmpty()) {
                oldest = next;
            }
            partition.memory().charge(aggregate.bytes(taken) + ENTRY_BYTES);
            inside.add(taken);
        }
        aggregate.add(taken);
    }

    private void remove() {
        T gone = inside.remove();
        oldest++;
        aggregate.remove(gone, inside.peek());
        partition.memory().release(aggregate.bytes(gone) + ENTRY_BYTES);
    }

    @Override
    public long needed() {
        return Math.min(next, frame.needed());
    }
}
