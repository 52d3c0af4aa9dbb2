package dev.semel.store;

/**
 * Gives commits their places: the terms, sequence numbers and cluster times of one group of nodes. Used by one thread at
 * a time, the one that has the turn of its {@link CommitLog}.
 */
public final class Sequencer {
    /** Of a node whose data no other node ever had. */
    static final long FIRST_TERM = 1;

    private final ClusterClock clock;
    private long term;
    private long last;

    Sequencer(ClusterClock clock, Position applied) {
        this.clock = clock;
        this.term = Math.max(FIRST_TERM, applied.term());
        this.last = applied.sequence();
    }

    /** From now on commits belong to this term and follow the position: what had a place behind it has lost that. */
    public void begin(long newTerm, Position applied) {
        clock.observe(applied.clusterTime());
        term = newTerm;
        last = applied.sequence();
    }

    /** The next place is the draft's. */
    public CommitRecord sequence(CommitDraft draft) {
        long time = draft.isAhead() ? clock.takeKept(draft.times()) : clock.next(draft.times());
        last++;
        return draft.at(new Place(term, last, draft.times(), time, time));
    }
}
