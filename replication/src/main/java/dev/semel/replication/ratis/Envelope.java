package dev.semel.replication.ratis;

import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;

/** What every request of another member has: who sent it, for which group. */
final class Envelope {
    private Envelope() {}

    static RaftRpcRequestProto of(Object message) {
        return switch (message) {
            case AppendEntriesRequestProto append -> append.getServerRequest();
            case RequestVoteRequestProto vote -> vote.getServerRequest();
            case InstallSnapshotRequestProto install -> install.getServerRequest();
            case StartLeaderElectionRequestProto start -> start.getServerRequest();
            case ReadIndexRequestProto read -> read.getServerRequest();
            default -> throw new IllegalArgumentException("Who sent " + message.getClass());
        };
    }
}
