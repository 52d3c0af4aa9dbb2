package dev.semel.replication;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a node takes part in its groups.
 *
 * @param self the name of this node's member, in all its groups
 * @param host where to listen; beyond loopback only with TLS
 * @param folder for the logs and checkpoints of all groups
 * @param electionTimeout a member that hears no leader for this long, or up to two thirds longer, asks to be elected
 * @param entryBytesMax the longest entry
 * @param pendingBytesMax per group: of proposals without an outcome, beyond which they are {@link Outcome.Busy}, and of entries that
 *     are not applied yet, beyond which no more are received
 * @param logSegmentBytes the log is cut by whole segments
 * @param snapshotLogBytes a checkpoint is saved after so many bytes of entries. A member that starts has the log above its newest
 *     checkpoint in memory
 * @param keptLogBytes the log is cut below the newest checkpoint with so many bytes of entries above it: a member that lags by
 *     less needs no checkpoint
 * @param catchUpLogBytes so much is kept for a member that gets a checkpoint, from that checkpoint on, until it has caught up
 * @param snapshotAge and at this age of the last one, if there are newer entries
 */
public record ReplicationOptions(
        String self,
        String host,
        int port,
        @Nullable MutualTls tls,
        Path folder,
        Duration electionTimeout,
        int entryBytesMax,
        int pendingBytesMax,
        int logSegmentBytes,
        long snapshotLogBytes,
        long keptLogBytes,
        long catchUpLogBytes,
        Duration snapshotAge) {
    private static final int MB = 1 << 20;

    public static ReplicationOptions of(String self, String host, int port, Path folder) {
        return new ReplicationOptions(
                self,
                host,
                port,
                null,
                folder,
                Duration.ofMillis(300),
                4 * MB,
                64 * MB,
                32 * MB,
                256L * MB,
                256L * MB,
                1024L * MB,
                Duration.ofMinutes(10));
    }

    public ReplicationOptions withTls(MutualTls changed) {
        return new ReplicationOptions(
                self,
                host,
                port,
                changed,
                folder,
                electionTimeout,
                entryBytesMax,
                pendingBytesMax,
                logSegmentBytes,
                snapshotLogBytes,
                keptLogBytes,
                catchUpLogBytes,
                snapshotAge);
    }

    public ReplicationOptions withElectionTimeout(Duration changed) {
        return new ReplicationOptions(
                self,
                host,
                port,
                tls,
                folder,
                changed,
                entryBytesMax,
                pendingBytesMax,
                logSegmentBytes,
                snapshotLogBytes,
                keptLogBytes,
                catchUpLogBytes,
                snapshotAge);
    }

    public ReplicationOptions withLimits(int changedEntryBytesMax, int changedPendingBytesMax) {
        return new ReplicationOptions(
                self,
                host,
                port,
                tls,
                folder,
                electionTimeout,
                changedEntryBytesMax,
                changedPendingBytesMax,
                logSegmentBytes,
                snapshotLogBytes,
                keptLogBytes,
                catchUpLogBytes,
                snapshotAge);
    }

    public ReplicationOptions withLog(int segmentBytes, long snapshotBytes, long keptBytes, long catchUpBytes) {
        return new ReplicationOptions(
                self,
                host,
                port,
                tls,
                folder,
                electionTimeout,
                entryBytesMax,
                pendingBytesMax,
                segmentBytes,
                snapshotBytes,
                keptBytes,
                catchUpBytes,
                snapshotAge);
    }
}
