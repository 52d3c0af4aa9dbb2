package dev.semel.replication.ratis;

import java.util.ArrayDeque;

/**
 * How much of the log is kept, for members that lag: what is above the newest checkpoint that has at least so many bytes of
 * entries above it, and, up to another limit, what {@link CatchingUp members need} that have just got a checkpoint. Of what
 * was before the group was opened nothing is known, and nothing is kept. Used by one thread.
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
    private final long neededBytesMax;
    private final long entriesMax;
    private final ArrayDeque<Span> spans = new ArrayDeque<>();

    /**
     * @param keptBytes for any member
     * @param neededBytesMax for those that are catching up
     * @param entriesMax for both, however short they are: Ratis has a record of each in memory
     */
    Retention(long keptBytes, long neededBytesMax, long entriesMax) {
        this.keptBytes = keptBytes;
        this.neededBytesMax = neededBytesMax;
        this.entriesMax = entriesMax;
    }

    /**
     * Another checkpoint has been saved. Returns the index of the last entry that is not kept.
     *
     * @param before the index of the checkpoint before it
     * @param bytes of the entries between the two
     * @param present the index of this one
     * @param neededAbove what is above this index is needed
     */
    long saved(long before, long bytes, long present, long neededAbove) {
        spans.addLast(new Span(before, bytes));
        long above = spans.stream().mapToLong(Span::bytes).sum();
        while (spans.size() > 1 && isSuperfluous(spans.getFirst(), above, present, neededAbove)) {
            above -= spans.removeFirst().bytes();
        }
        if (spans.size() > SPANS_MAX) {
            Span oldest = spans.removeFirst();
            spans.addFirst(new Span(
                    oldest.index(), oldest.bytes() + spans.removeFirst().bytes()));
        }
        return spans.getFirst().index();
    }

    private boolean isSuperfluous(Span oldest, long above, long present, long neededAbove) {
        boolean isNeeded = next() > neededAbove && above <= neededBytesMax;
        boolean isKept = above - oldest.bytes() < keptBytes;
        return (!isNeeded && !isKept) || present - oldest.index() > entriesMax;
    }

    /** Where the log would begin without its oldest part. */
    private long next() {
        return spans.stream().skip(1).findFirst().orElseThrow().index();
    }

    /** Everything below the newest checkpoint is cut, or belongs to a state that was replaced. */
    void forget() {
        spans.clear();
    }
}
