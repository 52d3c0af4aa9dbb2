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

/** Refuses the parts of checkpoints that {@link Transfers} does not take. Their leader begins another transfer. */
final class OneTransfer implements ServerInterceptor {
    private final Function<RaftGroupId, @Nullable GroupMachine> machines;

    OneTransfer(Function<RaftGroupId, @Nullable GroupMachine> machines) {
        this.machines = machines;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            @Override
            public void onMessage(Q message) {
                if (!received(message, () -> super.onMessage(message))) {
                    call.close(Status.ABORTED.withDescription("Another transfer has begun"), new Metadata());
                }
            }
        };
    }

    private boolean received(Object message, Runnable handle) {
        if (message instanceof InstallSnapshotRequestProto request && request.hasSnapshotChunk()) {
            var machine = machines.apply(
                    ProtoUtils.toRaftGroupId(request.getServerRequest().getRaftGroupId()));
            if (machine != null) {
                try {
                    return machine.transfers().receive(request.getSnapshotChunk(), handle);
                } catch (IOException e) {
                    return false;
                }
            }
        }
        handle.run();
        return true;
    }
}
