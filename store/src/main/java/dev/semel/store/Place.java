package dev.semel.store;

/**
 * Where a commit stands in the order.
 *
 * @param term of the leader that put it there
 * @param sequence one more than that of the commit before it, in whatever term
 * @param times how many cluster times it takes
 * @param clusterTime the last of them, at which the commit can be read
 * @param reservedTime times up to this one may have been handed out: the next leader's are later
 */
public record Place(long term, long sequence, int times, long clusterTime, long reservedTime) {
    /** The first of its times; they follow each other without a gap. */
    long firstTime() {
        return clusterTime - times + 1;
    }

    /** That of the commit before it. */
    public long previous() {
        return sequence - 1;
    }

    /** What an engine stores with the rows, which came with an entry of a log. */
    Position position(LogPosition log) {
        return new Position(term, sequence, clusterTime, log);
    }
}
