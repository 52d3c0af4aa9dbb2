package dev.semel.replication.ratis;

import dev.semel.replication.MutualTls;
import dev.semel.replication.ReplicationOptions;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** The settings of Ratis, with a reason where its own defaults would not do. */
final class RatisSettings {
    /** Around the entries of a message to a follower. */
    private static final int MESSAGE_OVERHEAD_BYTES = 1 << 20;

    /** Of a file of a checkpoint; {@link AnsweredChunks} sends one after the other. */
    private static final int CHECKPOINT_CHUNK_BYTES = 1 << 20;

    /**
     * An eighth of the time in which a follower answers the last chunk, when the whole checkpoint is on its disk; after it the
     * checkpoint would be sent again.
     */
    private static final TimeDuration CHECKPOINT_CHUNK_TIME = TimeDuration.valueOf(30, TimeUnit.SECONDS);

    /**
     * Of a file of the log, which grows by so many bytes. Each term begins a file, and until they are written a new leader can
     * commit nothing: with Ratis's own 4 MB, three members on one disk took 30 ms for that.
     */
    private static final int PREALLOCATED_BYTES = 256 << 10;

    private static final long FIRST_MS_MIN = 300;
    private static final long FIRST_MS_MAX = 800;

    private RatisSettings() {}

    static RaftProperties properties(ReplicationOptions options) {
        var properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, new ResendingRpc());
        GrpcConfigKeys.Server.setHost(properties, options.host());
        GrpcConfigKeys.Server.setPort(properties, options.port());
        elections(properties, options.electionTimeout());
        log(properties, options);
        toFollowers(properties, options);
        snapshots(properties);
        limits(properties, options);
        return properties;
    }

    /** Only from here on: Ratis, when it is built, opens each group it finds there, with nothing to apply entries to. */
    static void useFolder(RaftProperties properties, File folder) {
        RaftServerConfigKeys.setStorageDir(properties, List.of(folder));
    }

    static void useNoFolder(RaftProperties properties) {
        RaftServerConfigKeys.setStorageDir(properties, List.of());
    }

    static Parameters parameters(
            ReplicationOptions options, List<ServerInterceptor> interceptors, Runnable connectionClosed) {
        var parameters = new Parameters();
        if (options.tls() != null) {
            GrpcConfigKeys.TLS.setConf(parameters, tls(options.tls()));
        }
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, (builder, types) -> {
            interceptors.forEach(builder::intercept);
            return builder.protocolNegotiator(new Port(options.tls(), connectionClosed));
        });
        return parameters;
    }

    static GrpcTlsConfig tls(MutualTls tls) {
        return new GrpcTlsConfig(tls.own(), new ReportedTrust(tls), true);
    }

    private static void elections(RaftProperties properties, Duration timeout) {
        long min = timeout.toMillis();
        long max = min + min * 2 / 3;
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, millis(min));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, millis(max));
        // After the start nobody waits for a leader that may be only busy; if there is one, it refuses the election.
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, millis(Math.min(min, FIRST_MS_MIN)));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, millis(Math.min(max, FIRST_MS_MAX)));
        RaftServerConfigKeys.LeaderElection.setPreVote(properties, true);
        // A leader that has lost its majority may have the newest log, so that only it can be elected again.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, millis(max));
        // A process that was stopped for long is no reason to close its groups: it has to catch up.
        RaftServerConfigKeys.setCloseThreshold(properties, TimeDuration.valueOf(365, TimeUnit.DAYS));
        // A member that was paused has not heard the leader meanwhile: it must not call an election for that.
        RaftServerConfigKeys.setSleepDeviationThreshold(properties, millis(max));
    }

    private static void log(RaftProperties properties, ReplicationOptions options) {
        // An acknowledged entry is on disk.
        RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, false);
        RaftServerConfigKeys.Log.setAsyncFlushEnabled(properties, false);
        // Otherwise another entry for each commit.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(options.logSegmentBytes()));
        RaftServerConfigKeys.Log.setPreallocatedSize(
                properties, SizeInBytes.valueOf(Math.min(options.logSegmentBytes(), PREALLOCATED_BYTES)));
        RaftServerConfigKeys.Log.setWriteBufferSize(
                properties, SizeInBytes.valueOf(options.entryBytesMax() + MESSAGE_OVERHEAD_BYTES));
        // Otherwise one follower that is away keeps the whole log.
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    }

    private static void toFollowers(RaftProperties properties, ReplicationOptions options) {
        // Twice the rate with many callers.
        RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, false);
        // While a follower lets entries wait it must hear of its leader.
        GrpcConfigKeys.Server.setHeartbeatChannel(properties, true);
        // With the default, a follower that comes back after minutes waits for many seconds.
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, "10ms,20, 100ms,1000000000");
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(
                properties, SizeInBytes.valueOf(options.entryBytesMax() + MESSAGE_OVERHEAD_BYTES / 2));
        GrpcConfigKeys.setMessageSizeMax(
                properties, SizeInBytes.valueOf(options.entryBytesMax() + 2L * MESSAGE_OVERHEAD_BYTES));
        GrpcConfigKeys.Server.setInstallSnapshotRequestTimeout(properties, CHECKPOINT_CHUNK_TIME);
        RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(
                properties, SizeInBytes.valueOf(Math.min(options.entryBytesMax(), CHECKPOINT_CHUNK_BYTES)));
    }

    private static void snapshots(RaftProperties properties) {
        // Checkpoints are saved by bytes of entries and age, which Ratis does not count.
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, 1);
        RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, true);
    }

    private static void limits(RaftProperties properties, ReplicationOptions options) {
        RaftServerConfigKeys.Write.setByteLimit(properties, SizeInBytes.valueOf(options.pendingBytesMax()));
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(
                properties, SizeInBytes.valueOf(2L * options.logSegmentBytes() + options.pendingBytesMax()));
        // A proposal is never sent twice, so its answer need not be remembered.
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, TimeDuration.valueOf(1, TimeUnit.SECONDS));
    }

    private static TimeDuration millis(long count) {
        return TimeDuration.valueOf(count, TimeUnit.MILLISECONDS);
    }
}
