package dev.semel.replication.ratis;

import dev.semel.replication.Links;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** Looks at what arrives at a member, and at what it replies. */
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
        Replies<Q, R> replies = new Replies<>(call);
        return new Requests<>(replies, next.startCall(replies, headers));
    }

    private final class Requests<Q, R> extends SimpleForwardingServerCallListener<Q> {
        private final Replies<Q, R> replies;

        Requests(Replies<Q, R> replies, ServerCall.Listener<Q> next) {
            super(next);
            this.replies = replies;
        }

        @Override
        public void onMessage(Q message) {
            if (links.areWhole()) {
                super.onMessage(message);
                return;
            }
            try {
                String sender = sender(message);
                replies.caller = sender;
                if (!replies.isBroken.get() && links.arrives(sender, member)) {
                    super.onMessage(message);
                } else {
                    replies.end();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void onHalfClose() {
            if (!replies.isBroken.get()) {
                super.onHalfClose();
            }
        }
    }

    private final class Replies<Q, R> extends SimpleForwardingServerCall<Q, R> {
        private final AtomicBoolean isBroken = new AtomicBoolean();

        /** Null until its first request. */
        private volatile @Nullable String caller;

        Replies(ServerCall<Q, R> call) {
            super(call);
        }

        @Override
        public void sendMessage(R message) {
            try {
                String to = caller;
                if (!isBroken.get() && (to == null || links.areWhole() || links.arrives(member, to))) {
                    super.sendMessage(message);
                } else {
                    end();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (isBroken.compareAndSet(false, true)) {
                super.close(status, trailers);
            }
        }

        void end() {
            close(Status.UNAVAILABLE.withDescription("cut"), new Metadata());
        }
    }

    private static String sender(Object message) {
        return Envelope.of(message).getRequestorId().toStringUtf8();
    }
}
