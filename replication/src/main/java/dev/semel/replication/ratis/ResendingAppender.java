package dev.semel.replication.ratis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * Sends entries to one follower, but not more than it takes, and says what is committed ({@link CommitNews}). Sends entries
 * again if a connection breaks before the reply: Ratis takes them for sent then, and learns only by the next new entry that the
 * follower has them. Until there is one, they are not committed, and a member that is being added is never caught up.
 */
final class ResendingAppender extends GrpcLogAppender {
    private static final long NONE = Long.MAX_VALUE;

    /**
     * So much may be on its way to a follower when more is sent. A stream takes more than this from a follower that reads
     * nothing ({@link Backpressure}); a stream that takes nothing stops the thread of the appender, heartbeats included.
     */
    private static final long UNANSWERED_BYTES_MAX = 512 << 10;

    /** Of one part of a checkpoint, which the follower puts into a file: then it is sent again from the beginning. */
    private static final Duration CHUNK_ANSWER_ATMOST = Duration.ofSeconds(10);

    private record Sent(long lastIndex, long bytes) {}

    private final CommitNews news;
    private final Checkpoints checkpoints;
    private final CatchingUp catchingUp;

    /** Of messages with no more than that and one more. Touched by the thread of the appender. */
    private final ArrayDeque<Sent> unanswered = new ArrayDeque<>();

    /** Of all in the queue. */
    private long unansweredBytes;

    /** An index that is committed, which the follower is to be told; guarded by this. */
    private long untold = NONE;

    /** Of the first and the last entry that was sent and is not known to be in the follower's log; guarded by this. */
    private long first = NONE;

    private long last = Long.MIN_VALUE;
    private Timestamp sent = Timestamp.currentTime();

    ResendingAppender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
        super(server, leader, follower);
        var machine = (GroupMachine) server.getStateMachine();
        this.news = machine.news();
        this.checkpoints = machine.checkpoints();
        this.catchingUp = machine.catchingUp();
    }

    @Override
    public void start() {
        super.start();
        news.to(this);
    }

    @Override
    public CompletableFuture<LifeCycle.State> stopAsync() {
        news.notTo(this);
        return super.stopAsync().whenComplete((state, failure) -> {
            checkpoints.sent(this);
            catchingUp.ended(this);
        });
    }

    /**
     * Unless entries are on their way, which say it too. A follower takes it to heart once it has the entries on disk itself; it
     * may have been slower than others.
     */
    synchronized void tellCommitted() {
        long committed = getRaftLog().getLastCommittedIndex();
        if (getRaftLog().getNextIndex() == committed + 1) {
            untold = committed;
            tellOnce();
        }
    }

    private synchronized void tellOnce() {
        FollowerInfo follower = getFollower();
        if (follower.getMatchIndex() >= untold) {
            if (follower.getCommitIndex() < untold) {
                triggerHeartbeat();
            }
            untold = NONE;
        }
    }

    @Override
    public @Nullable AppendEntriesRequestProto newAppendEntriesRequest(long callId, boolean heartbeat)
            throws RaftLogIOException {
        boolean mustWait = mustAwaitAnswer();
        if (mustWait && !heartbeat && getHeartbeatWaitTimeMs() > 0) {
            return null;
        }
        AppendEntriesRequestProto request = super.newAppendEntriesRequest(callId, heartbeat || mustWait);
        if (request != null && request.getEntriesCount() > 0) {
            long to = request.getEntries(request.getEntriesCount() - 1).getIndex();
            sending(request.getEntries(0).getIndex(), to);
            var message = new Sent(to, request.getSerializedSize());
            unanswered.add(message);
            unansweredBytes += message.bytes();
        }
        return request;
    }

    @Override
    public Iterable<InstallSnapshotRequestProto> newInstallSnapshotRequests(String id, SnapshotInfo snapshot) {
        return () -> {
            checkpoints.sending(this, (Checkpoints.Checkpoint) snapshot);
            catchingUp.began(this, snapshot.getIndex(), this::lastSent);
            var chunks = new MappedChunks(
                    super.newInstallSnapshotRequests(id, snapshot), snapshot, () -> checkpoints.sent(this));
            var errors = getFollower().getErrorState();
            return new AnsweredChunks(
                    chunks,
                    getFollower()::getLastRpcResponseTime,
                    this::isRunning,
                    () -> errors.getErrorCountToDelay() > 0,
                    CHUNK_ANSWER_ATMOST);
        };
    }

    /** And arrived, unless the follower has lost its log since: it is asked for what is next then. */
    private long lastSent() {
        FollowerInfo follower = getFollower();
        return Math.min(follower.getMatchIndex(), follower.getNextIndex() - 1);
    }

    @Override
    public long getWaitTimeMs() {
        return mustAwaitAnswer() ? getHeartbeatWaitTimeMs() : super.getWaitTimeMs();
    }

    private boolean mustAwaitAnswer() {
        if (!hasPendingDataRequests()) {
            unanswered.clear();
            unansweredBytes = 0;
        }
        long match = getFollower().getMatchIndex();
        while (!unanswered.isEmpty() && unanswered.getFirst().lastIndex() <= match) {
            unansweredBytes -= unanswered.removeFirst().bytes();
        }
        return unansweredBytes >= UNANSWERED_BYTES_MAX;
    }

    private synchronized void sending(long from, long to) {
        first = Math.min(first, from);
        last = Math.max(last, to);
        sent = Timestamp.currentTime();
    }

    /** Asked before each request, and before each wait for the next one. */
    @Override
    public boolean shouldSendAppendEntries() {
        learnCommitted();
        resendLost();
        tellOnce();
        return super.shouldSendAppendEntries();
    }

    /** What the follower knows to be committed is in its log. It refuses to get that again, and does not say that it has it. */
    private void learnCommitted() {
        FollowerInfo follower = getFollower();
        if (follower.getCommitIndex() > follower.getMatchIndex()
                && follower.updateMatchIndex(follower.getCommitIndex())) {
            getLeaderState().onFollowerSuccessAppendEntries(follower);
        }
    }

    /**
     * Only if the follower has said something since, which shows that it can be reached; and not if it has named another
     * entry that it wants to have next.
     */
    private synchronized void resendLost() {
        FollowerInfo follower = getFollower();
        long match = follower.getMatchIndex();
        if (match >= last) {
            first = NONE;
            last = Long.MIN_VALUE;
        } else if (!hasPendingDataRequests()
                && follower.getNextIndex() > last
                && follower.getLastRpcResponseTime().compareTo(sent) > 0) {
            long lost = Math.max(first, match + 1);
            follower.computeNextIndex(next -> lost);
        }
    }
}
