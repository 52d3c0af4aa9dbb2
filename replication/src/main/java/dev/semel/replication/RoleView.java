package dev.semel.replication;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a member knows of its group at this moment.
 *
 * @param writableTerm the term in which this member accepts proposals, or 0
 * @param leader the member that this one follows, or itself, or null if it knows none
 * @param progress of all members on the leader; elsewhere empty
 */
public record RoleView(
        Role role,
        long term,
        long writableTerm,
        @Nullable String leader,
        Position applied,
        Membership membership,
        List<Progress> progress) {
    public enum Role {
        LEADER,
        FOLLOWER,
        CANDIDATE,
        LEARNER,
        /** Closed, or failed. */
        STOPPED
    }

    /**
     * How far the log of a member is known to agree with the leader's.
     *
     * @param silentMs how long ago the leader heard of it
     */
    public record Progress(String member, long matchIndex, long silentMs) {}

    public boolean isWritable() {
        return writableTerm != 0;
    }
}
