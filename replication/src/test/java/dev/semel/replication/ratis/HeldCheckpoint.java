package dev.semel.replication.ratis;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;

/** Lets the parts of a checkpoint wait at the door of a follower, once it has been asked to, until it may come in. */
final class HeldCheckpoint implements ServerInterceptor {
    private static final long HELD_AT_MOST_SECONDS = 30;

    private final CountDownLatch comes = new CountDownLatch(1);
    private volatile long index;
    private volatile CountDownLatch mayEnter = new CountDownLatch(0);

    void hold() {
        mayEnter = new CountDownLatch(1);
    }

    boolean isHeld() {
        return comes.getCount() == 0;
    }

    /** Of the last entry in the checkpoint that came last. */
    long index() {
        return index;
    }

    void release() {
        mayEnter.countDown();
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            @Override
            public void onMessage(Q message) {
                if (message instanceof InstallSnapshotRequestProto part) {
                    index = part.getSnapshotChunk().getTermIndex().getIndex();
                    comes.countDown();
                    await();
                }
                super.onMessage(message);
            }
        };
    }

    private void await() {
        try {
            if (!mayEnter.await(HELD_AT_MOST_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("Nobody has released the checkpoint");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
