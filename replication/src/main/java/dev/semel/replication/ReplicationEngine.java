package dev.semel.replication;

import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One member of one Raft group. The futures complete exceptionally only if they are cancelled. */
public interface ReplicationEngine extends AutoCloseable {
    GroupId group();

    /**
     * Appends an entry if this member is the writable leader of that term. The order of calls is the order in the log.
     * Does not wait for the outcome.
     *
     * @param entry not empty, and not longer than {@link ReplicationOptions#entryBytesMax}; not changed afterwards
     */
    Future<Outcome> propose(byte[] entry, long expectedTerm);

    /**
     * Applied when this member was still the leader after the call began: what it has applied by then is the newest
     * committed state. This is what a linearizable read waits for. Waiting callers share barriers.
     */
    Future<Outcome> barrier();

    RoleView role();

    /**
     * Hands leadership over. Proposals are refused meanwhile.
     *
     * @param member one with the highest priority; null: any of those
     */
    Future<Completion> transferLeadership(@Nullable String member, Duration atMost);

    /** Asks the others to elect this member now; done when they are asked, which is not yet an election. */
    Future<Completion> stand();

    /** Completes when the new members are committed; a new voter has caught up before. One change at a time. */
    Future<Completion> changeMembers(Membership membership);

    /** Saves a checkpoint of the state and cuts the log below it. */
    Future<Completion> snapshot();

    /**
     * Does what an election does, in a group of its own that the others do not belong to, so that the first one here is as fast
     * as later ones. Completes when nothing is left of it; better not begun while there is much to do.
     */
    Future<Completion> rehearse();

    /** Stops this member of the group. Proposals without an outcome get an unknown one. */
    @Override
    void close();
}
