package dev.semel.replication;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the committed entries of a group are applied to. One thread of the engine calls all methods, one after another;
 * they must not wait for locks, clients or the network. An exception stops the group on this member.
 */
public interface ReplicatedState {
    /**
     * The last entry in the state. The state stores it together with the effects of the entry: after a restart the engine
     * begins at its newest checkpoint, and leaves out the entries up to this position. {@link Position#BASE} of a state that
     * was there before its group: members that are added get a checkpoint of it.
     */
    Position applied();

    /** Committed entries in the order of the log, none of them twice. */
    void apply(List<Entry> entries);

    /** This member is the leader and has applied everything of earlier terms. */
    void writable(long term);

    /** This member was the leader. Proposals that have no outcome yet get an unknown one. */
    void notWritable(String reason);

    /** Another leader, or none that is known. */
    void leaderChanged(@Nullable String leader, long term);

    /** Committed, and applied here. */
    void membersChanged(Membership membership);

    /**
     * Writes files, at least one, from which {@link #loadCheckpoint} restores the present state. What follows
     * {@link #applied} will be applied after it, even if the engine has passed it to this state already.
     */
    void saveCheckpoint(Path folder) throws IOException;

    /**
     * Replaces the state by a checkpoint that is newer. The files belong to the engine: link or copy them.
     *
     * @return false if it is replaced when this member of the group is opened the next time, which the caller of
     *     {@link ReplicationNode#open} then does soon; until then nothing more is applied
     */
    boolean loadCheckpoint(Path folder) throws IOException;

    /** A checkpoint of the leader is arriving, because the log does not reach back far enough: so much of it is here. */
    void checkpointArriving(long bytes);
}
