package dev.semel.replication.ratis;

import java.util.ArrayDeque;

/**
 * How much of the log is kept, for members that lag: what is above the newest checkpoint that has at least so many bytes of
 * entries above it. Of what was before the group was opened nothing is known, and nothing is kept. Used by one thread.
 */
final class Retention {
    /** A checkpoint, and the bytes of the entries between it and the next one. */
    private record Span(long index, long bytes) {}

    /**
     * Checkpoints by age alone may be apart by a few bytes: beyond so many the oldest are taken for one. More of the log is
     * kept then, for a while.
     */
    static final int SPANS_MAX = 1000;

    private final long keptBytes;
    private final ArrayDeque<Span> spans = new ArrayDeque<>();

    Retention(long keptBytes) {
        this.keptBytes = keptBytes;
    }

    /**
     * Another checkpoint has been saved. Returns the index of the last entry that is not kept.
     *
     * @param before the index of the checkpoint before it
     * @param bytes of the entries between the two
     */
    long saved(long before, long bytes) {
        spans.addLast(new Span(before, bytes));
        long above = spans.stream().mapToLong(Span::bytes).sum();
        while (spans.size() > 1 && above - spans.getFirst().bytes() >= keptBytes) {
            above -= spans.removeFirst().bytes();
        }
        if (spans.size() > SPANS_MAX) {
            Span oldest = spans.removeFirst();
            spans.addFirst(new Span(
                    oldest.index(), oldest.bytes() + spans.removeFirst().bytes()));
        }
        return spans.getFirst().index();
    }

    /** Everything below the newest checkpoint is cut, or belongs to a state that was replaced. */
    void forget() {
        spans.clear();
    }
}
