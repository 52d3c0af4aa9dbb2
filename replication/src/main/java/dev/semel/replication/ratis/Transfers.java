package dev.semel.replication.ratis;

import java.io.IOException;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto.SnapshotChunkProto;
import org.jspecify.annotations.Nullable;

/**
 * The transfers of the leader's checkpoints to this member. A leader that has given one up begins another, and what is still
 * on its way of the first may arrive between parts of the second, or after it. So the one that began last goes on, with each
 * part after the one before, and of all others nothing is taken and nothing kept: Ratis looks at the number of a part only,
 * and would take a checkpoint for complete of which files are missing.
 */
final class Transfers {
    private final Checkpoints checkpoints;

    /** Guarded by this. */
    private @Nullable String current;

    /** The number of the part that must come; guarded by this. */
    private int next;

    Transfers(Checkpoints checkpoints) {
        this.checkpoints = checkpoints;
    }

    /**
     * One part at a time is handled.
     *
     * @return whether it was
     */
    synchronized boolean receive(SnapshotChunkProto part, Runnable handle) throws IOException {
        if (part.getRequestIndex() == 0) {
            checkpoints.deleteTransfersBut(part.getRequestId());
            current = part.getRequestId();
            next = 0;
        }
        if (!part.getRequestId().equals(current) || part.getRequestIndex() != next) {
            return false;
        }
        next++;
        handle.run();
        return true;
    }
}
