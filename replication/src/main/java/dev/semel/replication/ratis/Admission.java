package dev.semel.replication.ratis;

import java.io.IOException;
import java.util.function.Function;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.util.ProtoUtils;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what a group cannot take now; who has sent it tries again. A group that starts takes nothing: Ratis would take a
 * checkpoint already, and then fail to start the member. Of checkpoints, only the parts of one transfer are taken
 * ({@link Transfers}).
 */
final class Admission implements ServerInterceptor {
    private final Function<RaftGroupId, @Nullable GroupMachine> started;

    /** @param started null for a group that has not started */
    Admission(Function<RaftGroupId, @Nullable GroupMachine> started) {
        this.started = started;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            private boolean isRefused;

            @Override
            public void onMessage(Q message) {
                if (!isRefused && !received(message, () -> super.onMessage(message))) {
                    isRefused = true;
                    call.close(Status.UNAVAILABLE.withDescription("Not now"), new Metadata());
                }
            }

            @Override
            public void onHalfClose() {
                if (!isRefused) {
                    super.onHalfClose();
                }
            }
        };
    }

    private boolean received(Object message, Runnable handle) {
        GroupMachine machine =
                started.apply(ProtoUtils.toRaftGroupId(Envelope.of(message).getRaftGroupId()));
        if (machine == null) {
            return false;
        }
        if (message instanceof InstallSnapshotRequestProto request && request.hasSnapshotChunk()) {
            try {
                return machine.transfers().receive(request.getSnapshotChunk(), handle);
            } catch (IOException e) {
                return false;
            }
        }
        handle.run();
        return true;
    }
}
