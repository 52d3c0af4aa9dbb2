package dev.semel.replication.ratis;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.util.ProtoUtils;
import org.jspecify.annotations.Nullable;

/**
 * Lets entries wait at the door of a member that has too many which are not applied ({@link Backlog}). While a message
 * waits, no other one is read from its connection; heartbeats have their own. A message that has waited for long is dropped,
 * and its leader sends it again as one that was lost.
 */
final class Backpressure implements ServerInterceptor {
    /** Shorter than leaders wait for an answer, so that they do not send another message meanwhile. */
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Function<RaftGroupId, @Nullable GroupMachine> machines;

    Backpressure(Function<RaftGroupId, @Nullable GroupMachine> machines) {
        this.machines = machines;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            @Override
            public void onMessage(Q message) {
                if (hasRoom(message)) {
                    super.onMessage(message);
                } else {
                    call.request(1);
                }
            }
        };
    }

    private boolean hasRoom(Object message) {
        if (!(message instanceof AppendEntriesRequestProto append) || append.getEntriesCount() == 0) {
            return true;
        }
        var machine = machines.apply(
                ProtoUtils.toRaftGroupId(append.getServerRequest().getRaftGroupId()));
        try {
            return machine == null || machine.awaitRoom(WAIT_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
