package dev.semel.store;

/** The transaction that made a record, notified of its outcome; it exists only on the node that made the record. */
public interface Originator {
    /** Whether others may run before the record is applied, so that theirs are applied together with it. */
    default boolean gathersOthers() {
        return false;
    }

    /** Lets them run, before the record is given to the log or applied. Nothing depends on it: without it groups are smaller. */
    @SuppressWarnings("ThreadPriorityCheck")
    default void gather() {
        if (gathersOthers() && Thread.currentThread().isVirtual()) {
            Thread.yield();
        }
    }

    /**
     * The changes are about to be visible at this time, and nothing will take them back: what others need in order to
     * notice them must be in place when this returns.
     */
    void applying(long clusterTime);

    /** The changes are visible: locks go. */
    void applied();

    /** What becomes of the changes is not for this node to say any more: locks go. */
    void lost();
}
