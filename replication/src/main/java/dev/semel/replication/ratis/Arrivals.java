package dev.semel.replication.ratis;

import dev.semel.replication.Links;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/** Looks at what arrives at a member, and from whom. */
final class Arrivals implements ServerInterceptor {
    private final String member;
    private final Links links;

    Arrivals(String member, Links links) {
        this.member = member;
        this.links = links;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return new Listener<>(call, next.startCall(call, headers));
    }

    private final class Listener<Q, R> extends SimpleForwardingServerCallListener<Q> {
        private final ServerCall<Q, R> call;
        private boolean isBroken;

        Listener(ServerCall<Q, R> call, ServerCall.Listener<Q> next) {
            super(next);
            this.call = call;
        }

        @Override
        public void onMessage(Q message) {
            try {
                if (!isBroken && links.arrives(sender(message), member)) {
                    super.onMessage(message);
                } else if (!isBroken) {
                    isBroken = true;
                    call.close(Status.UNAVAILABLE.withDescription("cut"), new Metadata());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void onHalfClose() {
            if (!isBroken) {
                super.onHalfClose();
            }
        }
    }

    private static String sender(Object message) {
        RaftRpcRequestProto request = switch (message) {
            case AppendEntriesRequestProto append -> append.getServerRequest();
            case RequestVoteRequestProto vote -> vote.getServerRequest();
            case InstallSnapshotRequestProto install -> install.getServerRequest();
            case StartLeaderElectionRequestProto start -> start.getServerRequest();
            case ReadIndexRequestProto read -> read.getServerRequest();
            default -> throw new IllegalArgumentException("Who sent " + message.getClass());
        };
        return request.getRequestorId().toStringUtf8();
    }
}
