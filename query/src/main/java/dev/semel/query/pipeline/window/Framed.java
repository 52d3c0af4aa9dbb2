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

    /**
     * What is in the window, from its beginning on, as far as there is room: what is not here is taken once more when it leaves.
     * Nothing is kept if nothing ever leaves it.
     */
    private final ArrayDeque<T> inside = new ArrayDeque<>();

    private long insideBytes;

    /** The number of the first document in the window. */
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
        while (oldest < next && oldest < frame.first()) {
            remove();
        }
        if (next < frame.first()) {
            next = frame.first();
            oldest = next;
        }
        for (; next <= frame.last(); next++) {
            add();
        }
        return aggregate.result();
    }

    private void add() {
        partition.environment().checkpoint();
        T taken = aggregate.take(partition.document(next));
        if (!growing && !aggregate.removesFirst() && areAllInside()) {
            keep(taken);
        }
        aggregate.add(taken);
    }

    private boolean areAllInside() {
        return inside.size() == next - oldest;
    }

    private void keep(T taken) {
        long bytes = aggregate.bytes(taken) + ENTRY_BYTES;
        if (aggregate.canTakeAgain() && partition.memory().disk() != null) {
            if (insideBytes + bytes > partition.memory().bytesMax() / 4
                    || !partition.memory().tryCharge(bytes)) {
                return;
            }
        } else {
            partition.memory().charge(bytes);
        }
        insideBytes += bytes;
        inside.add(taken);
    }

    private void remove() {
        if (aggregate.removesFirst()) {
            aggregate.removeFirst();
            oldest++;
            return;
        }
        T gone = inside.poll();
        if (gone == null) {
            gone = aggregate.take(partition.document(oldest));
        } else {
            long bytes = aggregate.bytes(gone) + ENTRY_BYTES;
            insideBytes -= bytes;
            partition.memory().release(bytes);
        }
        oldest++;
        T following = inside.peek();
        if (following == null && oldest < next) {
            following = aggregate.take(partition.document(oldest));
        }
        aggregate.remove(gone, following);
    }

    @Override
    public long needed() {
        return Math.min(areAllInside() || growing || aggregate.removesFirst() ? next : oldest, frame.needed());
    }
}
