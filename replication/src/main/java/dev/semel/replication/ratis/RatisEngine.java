package dev.semel.replication.ratis;

import dev.semel.replication.Completion;
import dev.semel.replication.GroupId;
import dev.semel.replication.Member;
import dev.semel.replication.Membership;
import dev.semel.replication.Outcome;
import dev.semel.replication.Position;
import dev.semel.replication.ReplicationEngine;
import dev.semel.replication.ReplicationOptions;
import dev.semel.replication.RoleView;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.RaftServerProtocol;
import org.apache.ratis.util.JavaUtils;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.ProtoUtils;
import org.jspecify.annotations.Nullable;

/** One group's division of a Ratis server. */
final class RatisEngine implements ReplicationEngine {
    private interface Request {
        CompletableFuture<RaftClientReply> send() throws IOException;
    }

    private static final long SNAPSHOT_TIMEOUT_MS = TimeUnit.MINUTES.toMillis(10);
    private static final long MEMBERS_TIMEOUT_MS = TimeUnit.MINUTES.toMillis(10);
    private static final long LOOKS_PER_SECOND = 4;
    private static final long RECONNECTION_SECONDS = 5;

    /** If a member was removed, Ratis says so some time after it has closed the group. */
    private static final int CLOSED_LOOKS_MAX = 8;

    private final GroupId group;
    private final RaftServer server;
    final RaftServer.Division division;
    private final GroupMachine machine;
    private final ReplicationOptions options;
    private final Function<Membership, Future<Completion>> rehearsal;
    private final Runnable onClose;
    private final Barriers barriers;
    private final Reconnection reconnection;
    private final ScheduledFuture<?> looks;

    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final Set<Proposal> pending = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean snapshotUnderWay = new AtomicBoolean();
    private volatile long snapshotNanos = System.nanoTime();
    private volatile boolean closed;

    /** Touched by the executor. */
    private int closedLooks;

    RatisEngine(
            GroupId group,
            RaftServer server,
            RaftServer.Division division,
            GroupMachine machine,
            ReplicationOptions options,
            ScheduledExecutorService executor,
            Function<Membership, Future<Completion>> rehearsal,
            Runnable onClose) {
        this.group = group;
        this.server = server;
        this.division = division;
        this.machine = machine;
        this.options = options;
        this.rehearsal = rehearsal;
        this.onClose = onClose;
        barriers = new Barriers(this::proposeBarrier, executor);
        reconnection = new Reconnection(server, division, (int) (LOOKS_PER_SECOND * RECONNECTION_SECONDS));
        looks = executor.scheduleWithFixedDelay(
                this::look, 1000 / LOOKS_PER_SECOND, 1000 / LOOKS_PER_SECOND, TimeUnit.MILLISECONDS);
    }

    @Override
    public GroupId group() {
        return group;
    }

    @Override
    public Future<Outcome> propose(byte[] entry, long expectedTerm) {
        if (entry.length == 0 || entry.length > options.entryBytesMax()) {
            throw new IllegalArgumentException(
                    "An entry has 1 to %d bytes, not %d".formatted(options.entryBytesMax(), entry.length));
        }
        return submit(new Proposal(entry, expectedTerm));
    }

    @Override
    public Future<Outcome> barrier() {
        return barriers.await();
    }

    private void proposeBarrier(Consumer<Outcome> then) {
        var unused = submit(new Proposal(new byte[0], machine.writableTerm()))
                .whenComplete((outcome, failure) -> then.accept(outcome));
    }

    private CompletableFuture<Outcome> submit(Proposal proposal) {
        if (closed || proposal.expectedTerm() == 0 || proposal.expectedTerm() != machine.writableTerm()) {
            proposal.fail("This member is not the leader of term " + proposal.expectedTerm());
            return proposal.outcome();
        }
        pending.add(proposal);
        try {
            // On the division itself: on the way through the server the order of calls would be lost.
            var unused = ((RaftClientAsynchronousProtocol) division)
                    .submitClientRequestAsync(request(proposal))
                    .whenComplete((reply, failure) -> settle(proposal, reply, failure));
        } catch (IOException | RuntimeException e) {
            // Whatever it was, the caller must not wait for an outcome that never comes.
            settle(proposal, null, e);
        }
        if (closed) {
            settleClosed(proposal);
        }
        return proposal.outcome();
    }

    private RaftClientRequest request(Proposal proposal) {
        return RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(self())
                .setGroupId(raftGroup())
                .setCallId(calls.incrementAndGet())
                .setMessage(proposal)
                .setType(RaftClientRequest.writeRequestType())
                .build();
    }

    private void settle(Proposal proposal, @Nullable RaftClientReply reply, @Nullable Throwable failure) {
        pending.remove(proposal);
        if (reply != null && reply.isSuccess()) {
            proposal.outcome()
                    .complete(new Outcome.Applied(new Position(proposal.expectedTerm(), reply.getLogIndex())));
            return;
        }
        var cause = reply != null ? reply.getException() : JavaUtils.unwrapCompletionException(failure);
        if (cause instanceof ResourceUnavailableException && !proposal.isAppended()) {
            proposal.outcome().complete(new Outcome.Busy());
        } else {
            proposal.fail(reason(cause));
        }
    }

    private void settleClosed(Proposal proposal) {
        pending.remove(proposal);
        proposal.fail("This member has been closed");
    }

    // ---- what it knows

    @Override
    public RoleView role() {
        var info = division.getInfo();
        long writable = machine.writableTerm();
        return new RoleView(
                role(closed || info.getLifeCycleState().isClosingOrClosed(), info.getCurrentRole()),
                info.getCurrentTerm(),
                writable,
                Optional.ofNullable(info.getLeaderId())
                        .map(RaftPeerId::toString)
                        .orElse(null),
                machine.applied(),
                Peers.membership(division.getRaftConf()),
                progress());
    }

    private static RoleView.Role role(boolean isStopped, RaftPeerRole role) {
        if (isStopped) {
            return RoleView.Role.STOPPED;
        }
        return switch (role) {
            case LEADER -> RoleView.Role.LEADER;
            case CANDIDATE -> RoleView.Role.CANDIDATE;
            case LISTENER -> RoleView.Role.LEARNER;
            case FOLLOWER, UNRECOGNIZED -> RoleView.Role.FOLLOWER;
        };
    }

    private List<RoleView.Progress> progress() {
        var info = division.getInfo();
        var matches = info.getFollowerMatchIndices();
        var followers = info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
        if (matches == null || matches.length != followers.size()) {
            // Not the leader, or the members are changing at this moment.
            return List.of();
        }
        var progress = new ArrayList<RoleView.Progress>();
        progress.add(new RoleView.Progress(options.self(), division.getRaftLog().getFlushIndex(), 0));
        for (int i = 0; i < matches.length; i++) {
            var follower = followers.get(i);
            progress.add(new RoleView.Progress(
                    RaftPeerId.valueOf(follower.getId().getId()).toString(),
                    matches[i],
                    follower.getLastRpcElapsedTimeMs()));
        }
        return List.copyOf(progress);
    }

    // ---- administration

    @Override
    public Future<Completion> transferLeadership(@Nullable String member, Duration atMost) {
        var target = member != null ? Optional.of(member) : mostRecent();
        if (target.isEmpty()) {
            return failed("There is no other voter");
        }
        return completion(
                () -> server.transferLeadershipAsync(new TransferLeadershipRequest(
                        client,
                        self(),
                        raftGroup(),
                        calls.incrementAndGet(),
                        RaftPeerId.valueOf(target.get()),
                        atMost.toMillis())),
                atMost.toMillis());
    }

    @Override
    public Future<Completion> stand() {
        var leader = division.getInfo().getLeaderId();
        if (leader == null || leader.equals(self())) {
            return failed("There is no other leader");
        }
        var last = division.getRaftLog().getLastEntryTermIndex();
        // As the leader itself would ask it to; an election without the question whether one is due.
        var request = StartLeaderElectionRequestProto.newBuilder()
                .setServerRequest(RaftRpcRequestProto.newBuilder()
                        .setRequestorId(leader.toByteString())
                        .setReplyId(self().toByteString())
                        .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(raftGroup()))
                        .setCallId(calls.incrementAndGet()));
        if (last != null) {
            request.setLeaderLastEntry(last.toProto());
        }
        try {
            boolean accepted = ((RaftServerProtocol) server)
                    .startLeaderElection(request.build())
                    .getServerReply()
                    .getSuccess();
            return accepted
                    ? CompletableFuture.completedFuture(new Completion.Done())
                    : failed("This member cannot stand for election now");
        } catch (IOException e) {
            return failed(reason(e));
        }
    }

    @Override
    public Future<Completion> rehearse() {
        return rehearsal.apply(Peers.membership(division.getRaftConf()));
    }

    /** Of the other voters with the highest priority, the one that lacks least. */
    private Optional<String> mostRecent() {
        var progress = progress();
        return Peers.membership(division.getRaftConf()).voters().stream()
                .filter(voter -> !voter.name().equals(options.self()))
                .max(Comparator.comparingInt(Member::priority)
                        .thenComparingLong(voter -> progress.stream()
                                .filter(each -> each.member().equals(voter.name()))
                                .mapToLong(RoleView.Progress::matchIndex)
                                .findFirst()
                                .orElse(-1)))
                .map(Member::name);
    }

    @Override
    public Future<Completion> changeMembers(Membership membership) {
        var arguments = SetConfigurationRequest.Arguments.newBuilder()
                .setServersInNewConf(Peers.voters(membership))
                .setListenersInNewConf(Peers.learners(membership))
                .setMode(SetConfigurationRequest.Mode.SET_UNCONDITIONALLY)
                .build();
        return completion(
                () -> server.setConfigurationAsync(
                        new SetConfigurationRequest(client, self(), raftGroup(), calls.incrementAndGet(), arguments)),
                MEMBERS_TIMEOUT_MS);
    }

    @Override
    public Future<Completion> snapshot() {
        return takeSnapshot(true);
    }

    private CompletableFuture<Completion> takeSnapshot(boolean cutsAll) {
        machine.cutAll(cutsAll);
        snapshotNanos = System.nanoTime();
        return completion(
                () -> server.snapshotManagementAsync(SnapshotManagementRequest.newCreate(
                        client, self(), raftGroup(), calls.incrementAndGet(), SNAPSHOT_TIMEOUT_MS, 1)),
                SNAPSHOT_TIMEOUT_MS);
    }

    private void look() {
        machine.reportArriving();
        snapshotIfDue();
        if (division.getInfo().getLifeCycleState() == LifeCycle.State.CLOSED && ++closedLooks == CLOSED_LOOKS_MAX) {
            machine.foundClosed();
        }
        reconnection.look();
    }

    private void snapshotIfDue() {
        boolean isOld =
                System.nanoTime() - snapshotNanos >= options.snapshotAge().toNanos();
        boolean isDue = machine.logBytes() >= (isOld ? 1 : options.snapshotLogBytes());
        if (isDue && snapshotUnderWay.compareAndSet(false, true)) {
            var unused = takeSnapshot(false).whenComplete((done, failure) -> snapshotUnderWay.set(false));
        }
    }

    private static CompletableFuture<Completion> completion(Request request, long timeoutMs) {
        try {
            return request.send()
                    .orTimeout(timeoutMs, TimeUnit.MILLISECONDS)
                    .handle((reply, failure) -> reply != null && reply.isSuccess()
                            ? new Completion.Done()
                            : new Completion.Failed(reason(reply != null ? reply.getException() : failure)));
        } catch (IOException e) {
            return failed(reason(e));
        }
    }

    private static String reason(@Nullable Throwable failure) {
        return String.valueOf(failure == null ? "no reason given" : failure.getMessage());
    }

    private static CompletableFuture<Completion> failed(String reason) {
        return CompletableFuture.completedFuture(new Completion.Failed(reason));
    }

    private RaftPeerId self() {
        return server.getId();
    }

    private RaftGroupId raftGroup() {
        return Peers.id(group);
    }

    // ---- the end

    @Override
    public void close() {
        if (!closed) {
            stopAccepting();
            try {
                onClose.run();
            } finally {
                settleAll();
            }
        }
    }

    /** Being closed is no failure. */
    void stopAccepting() {
        closed = true;
        looks.cancel(false);
        machine.closing();
    }

    void settleAll() {
        machine.close();
        List.copyOf(pending).forEach(this::settleClosed);
        barriers.close();
    }
}
