package dev.semel.replication.ratis;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/** Breaks a connection when a follower has appended entries and is about to say so; once each time that it is armed. */
final class LostReply implements ServerInterceptor {
    private final AtomicBoolean isArmed = new AtomicBoolean();

    void arm() {
        isArmed.set(true);
    }

    boolean isLost() {
        return !isArmed.get();
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return next.startCall(
                new SimpleForwardingServerCall<>(call) {
                    @Override
                    public void sendMessage(R message) {
                        if (message instanceof AppendEntriesReplyProto reply
                                && !reply.getIsHearbeat()
                                && reply.getResult() == AppendResult.SUCCESS
                                && isArmed.compareAndSet(true, false)) {
                            close(Status.UNAVAILABLE.withDescription("lost"), new Metadata());
                        } else {
                            super.sendMessage(message);
                        }
                    }
                },
                headers);
    }
}
