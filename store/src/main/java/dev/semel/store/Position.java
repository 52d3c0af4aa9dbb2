package dev.semel.store;

/**
 * Up to where an engine has applied: term, sequence number and cluster time of the newest commit, zeros if there is none.
 *
 * @param log the entry that the commit came with
 */
public record Position(long term, long sequence, long clusterTime, LogPosition log) {
    public static final Position NONE = new Position(0, 0, 0, LogPosition.NONE);

    /** Of commits that came from no other node's log. */
    public Position(long term, long sequence, long clusterTime) {
        this(term, sequence, clusterTime, LogPosition.NONE);
    }

    /** The same commit, where the log is known to be at this entry. */
    Position at(LogPosition reached) {
        return new Position(term, sequence, clusterTime, reached);
    }
}
