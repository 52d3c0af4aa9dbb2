package dev.semel.replication.ratis;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/** Between the members of a set in one JVM: each looks at what arrives, and from whom. */
final class Network {
    private static final long HELD_AT_MOST_SECONDS = 30;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // guarded by the lock
    private final Set<String> cut = new HashSet<>();
    private final Set<String> held = new HashSet<>();

    ServerInterceptor at(String member) {
        return new ServerInterceptor() {
            @Override
            public <Q, R> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
                return new Arrivals<>(member, call, next.startCall(call, headers));
            }
        };
    }

    /** Nothing arrives from or at this member any more; connections break. */
    void cut(String member) {
        change(() -> cut.add(member));
    }

    /** What is sent to or from this member arrives when the network heals, as if its process had been stopped. */
    void hold(String member) {
        change(() -> held.add(member));
    }

    void heal() {
        change(() -> {
            cut.clear();
            held.clear();
        });
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean arrives(String from, String to) throws InterruptedException {
        lock.lock();
        try {
            long nanos = TimeUnit.SECONDS.toNanos(HELD_AT_MOST_SECONDS);
            while ((held.contains(from) || held.contains(to)) && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return !cut.contains(from) && !cut.contains(to);
        } finally {
            lock.unlock();
        }
    }

    private final class Arrivals<Q, R> extends SimpleForwardingServerCallListener<Q> {
        private final String to;
        private final ServerCall<Q, R> call;
        private boolean isBroken;

        Arrivals(String to, ServerCall<Q, R> call, ServerCall.Listener<Q> next) {
            super(next);
            this.to = to;
            this.call = call;
        }

        @Override
        public void onMessage(Q message) {
            try {
                if (!isBroken && arrives(sender(message), to)) {
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
            default -> throw new AssertionError("Who sent " + message.getClass());
        };
        return request.getRequestorId().toStringUtf8();
    }
}
