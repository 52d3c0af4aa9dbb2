package dev.semel.replication.ratis;

import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/** Refuses what Ratis offers to its own clients and administrators on the same port: no part of this project calls it. */
final class MembersOnly implements ServerInterceptor {
    private static final String BETWEEN_MEMBERS = "ratis.grpc.RaftServerProtocolService";

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (BETWEEN_MEMBERS.equals(call.getMethodDescriptor().getServiceName())) {
            return next.startCall(call, headers);
        }
        call.close(Status.PERMISSION_DENIED.withDescription("This port is for members"), new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
