package dev.semel.replication.ratis;

import dev.semel.replication.Completion;
import dev.semel.replication.Entry;
import dev.semel.replication.GroupId;
import dev.semel.replication.Member;
import dev.semel.replication.Membership;
import dev.semel.replication.Position;
import dev.semel.replication.ReplicatedState;
import dev.semel.replication.ReplicationEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.RaftServerAsynchronousProtocol;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.util.ProtoUtils;
import org.jspecify.annotations.Nullable;

/**
 * Does what an election does, without one, so that the first that counts need not load some hundred classes and connect to the
 * others. In a group of its own this member is elected by itself, and then follows another; the others know nothing of it and
 * refuse what they are sent. In the real group it asks them for votes in a term that is over.
 */
final class Rehearsal {
    /** Of each step. */
    private static final long STEP_SECONDS_MAX = 10;

    /** No election has this one. */
    private static final long TERM = 0;

    private final RatisNode node;
    private final RaftServer server;
    private final Path folder;

    /** @param folder of the node, with one for each group */
    Rehearsal(RatisNode node, RaftServer server, Path folder) {
        this.node = node;
        this.server = server;
        this.folder = folder;
    }

    /** Returns when nothing is left of it. */
    Completion run(GroupId real, Membership membership) {
        String self = server.getId().toString();
        List<Member> others =
                membership.all().filter(each -> !each.name().equals(self)).toList();
        List<Member> own =
                membership.all().filter(each -> each.name().equals(self)).toList();
        if (own.isEmpty() || others.isEmpty()) {
            return new Completion.Failed("this member is alone");
        }
        GroupId group = new GroupId(UUID.nameUUIDFromBytes(("rehearsal of " + self).getBytes(StandardCharsets.UTF_8)));
        try {
            others.forEach(each -> ask(real, each.name()));
            delete(folder.resolve(group.toString()));
            lead(group, new Membership(own, others));
            delete(folder.resolve(group.toString()));
            return new Completion.Done();
        } catch (IOException | RuntimeException e) {
            // The member is being closed, or its disk is full: whatever it is, it is noticed where it matters.
            return new Completion.Failed(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Completion.Failed("interrupted");
        }
    }

    private void ask(GroupId group, String other) {
        var head = head(group, server.getId().toString(), other);
        try {
            var unused = server.getServerRpc()
                    .requestVote(RequestVoteRequestProto.newBuilder()
                            .setServerRequest(head)
                            .setCandidateTerm(TERM)
                            .build());
            // Without the last entry of a leader it is refused.
            var unusedToo = server.getServerRpc()
                    .startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                            .setServerRequest(head)
                            .build());
        } catch (IOException | RuntimeException e) {
            // It does not run.
        }
    }

    private static RaftRpcRequestProto.Builder head(GroupId group, String from, String to) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(RaftPeerId.valueOf(from).toByteString())
                .setReplyId(RaftPeerId.valueOf(to).toByteString())
                .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(Peers.id(group)));
    }

    private void lead(GroupId group, Membership membership) throws IOException, InterruptedException {
        var state = new NoState();
        try (ReplicationEngine engine = node.open(group, membership, state, failure -> {})) {
            if (!state.elected.await(STEP_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IOException("not elected");
            }
            var unused = within(engine.propose(new byte[] {0}, engine.role().writableTerm()));
            follow(group, membership.learners().getFirst().name(), ((RatisEngine) engine).division.getRaftLog());
        }
    }

    private static <T> T within(Future<T> step) throws IOException, InterruptedException {
        try {
            return step.get(STEP_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(e);
        }
    }

    /** As if the other had been elected then, and begun its term with an entry. */
    private void follow(GroupId group, String leader, RaftLog log) throws IOException, InterruptedException {
        TermIndex last = log.getLastEntryTermIndex();
        long term = last.getTerm() + 1;
        var entry = log.get(log.getStartIndex()).toBuilder()
                .setTerm(term)
                .setIndex(last.getIndex() + 1)
                .build();
        // Not the call that waits for its end: that cannot be interrupted, and a log may be closed meanwhile.
        var reply = within(((RaftServerAsynchronousProtocol) server)
                .appendEntriesAsync(AppendEntriesRequestProto.newBuilder()
                        .setServerRequest(head(group, leader, server.getId().toString()))
                        .setLeaderTerm(term)
                        .setPreviousLog(last.toProto())
                        .addEntries(entry)
                        .setLeaderCommit(entry.getIndex())
                        .build()));
        if (reply.getResult() != AppendResult.SUCCESS) {
            throw new IOException(reply.getResult().name());
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    private static final class NoState implements ReplicatedState {
        private final CountDownLatch elected = new CountDownLatch(1);
        private volatile Position applied = Position.BASE;

        @Override
        public Position applied() {
            return applied;
        }

        @Override
        public void apply(List<Entry> entries) {
            applied = entries.getLast().position();
        }

        @Override
        public void writable(long term) {
            elected.countDown();
        }

        @Override
        public void notWritable(String reason) {}

        @Override
        public void leaderChanged(@Nullable String leader, long term) {}

        @Override
        public void membersChanged(Membership membership) {}

        @Override
        public void saveCheckpoint(Path folder) throws IOException {
            Files.createFile(folder.resolve("nothing"));
        }

        @Override
        public boolean loadCheckpoint(Path folder) {
            return true;
        }

        @Override
        public void checkpointArriving(long bytes) {}
    }
}
