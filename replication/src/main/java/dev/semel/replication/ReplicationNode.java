package dev.semel.replication;

import java.io.IOException;
import java.util.function.Consumer;

/** The members of several groups in one process, on one port. */
public interface ReplicationNode extends AutoCloseable {
    /**
     * Starts this node's member of a group, or resumes it with what is on disk.
     *
     * @param initial of a group that begins: all its members, the same on each of them. Of a member that is added later:
     *     {@link Membership#joining}. After a restart the same again; what is on disk is newer and counts
     * @param fatal called once if the group stops on this member for any other reason than being closed; also if this member
     *     has been removed
     */
    ReplicationEngine open(GroupId group, Membership initial, ReplicatedState state, Consumer<Throwable> fatal)
            throws IOException;

    /** Closes all groups. */
    @Override
    void close();
}
