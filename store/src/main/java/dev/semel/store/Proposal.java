package dev.semel.store;

/** A transaction as the commit log sees it: changes to be put into an order, and somebody to be told. */
public interface Proposal {
    /** Writes the changes, in the order in which they apply, into the stamp. Called once, in commit order. */
    void writeTo(Stamp stamp);

    /**
     * The changes are about to be visible at this time, and nothing will take them back: what others need in order to
     * notice them must be in place when this returns.
     */
    void applying(long clusterTime);

    /** The changes are visible: locks go. */
    void applied();

    /** {@link #writeTo} failed and the log has dropped what it had written. */
    void refused();
}
