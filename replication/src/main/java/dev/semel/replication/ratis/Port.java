package dev.semel.replication.ratis;

import dev.semel.replication.MutualTls;
import java.net.InetSocketAddress;
import java.security.cert.CertificateException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcHttp2ConnectionHandler;
import org.apache.ratis.thirdparty.io.grpc.netty.InternalProtocolNegotiator;
import org.apache.ratis.thirdparty.io.grpc.netty.InternalProtocolNegotiators;
import org.apache.ratis.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandler;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandler;
import org.apache.ratis.thirdparty.io.netty.util.AsciiString;
import org.apache.ratis.thirdparty.io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * What the port for members does with a connection before anything else: it limits their number, closes those that stay
 * silent, and, with TLS, those that do not begin with its handshake.
 */
final class Port implements InternalProtocolNegotiator.ProtocolNegotiator {
    /** Members keep a few connections each. */
    private static final int CONNECTIONS_MAX = 1_024;

    private static final long SILENT_SECONDS_MAX = 10;

    /** RFC 8446, section 5.1: the type of a record with a message of the handshake. */
    private static final int HANDSHAKE_RECORD = 22;

    private final @Nullable MutualTls tls;
    private final Runnable connectionClosed;
    private final InternalProtocolNegotiator.ProtocolNegotiator next;
    private final AtomicInteger connections = new AtomicInteger();

    /** The other one is called whenever a connection has been closed, by one of Netty's threads. */
    Port(@Nullable MutualTls tls, Runnable connectionClosed) {
        this.tls = tls;
        this.connectionClosed = connectionClosed;
        this.next = tls == null
                ? InternalProtocolNegotiators.serverPlaintext()
                : InternalProtocolNegotiators.serverTls(GrpcUtil.buildSslContextForServer(RatisSettings.tls(tls)));
    }

    @Override
    public AsciiString scheme() {
        return next.scheme();
    }

    @Override
    public ChannelHandler newHandler(GrpcHttp2ConnectionHandler grpc) {
        return new Entrance(next.newHandler(grpc));
    }

    @Override
    public void close() {
        next.close();
    }

    /** The first handler of a connection, until its first byte has arrived. */
    private final class Entrance extends ChannelInboundHandlerAdapter {
        private final ChannelHandler inside;

        private Entrance(ChannelHandler inside) {
            this.inside = inside;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            var channel = context.channel();
            var unusedEnd = channel.closeFuture().addListener(closed -> {
                connections.decrementAndGet();
                connectionClosed.run();
            });
            if (connections.incrementAndGet() > CONNECTIONS_MAX) {
                var unusedClose = context.close();
                return;
            }
            context.pipeline().addAfter(context.name(), null, inside);
            var unusedCheck =
                    context.executor().schedule(() -> closeSilent(context), SILENT_SECONDS_MAX, TimeUnit.SECONDS);
        }

        private void closeSilent(ChannelHandlerContext context) {
            if (!context.isRemoved()) {
                var unusedClose = context.close();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (tls != null
                    && message instanceof ByteBuf bytes
                    && bytes.getUnsignedByte(bytes.readerIndex()) != HANDSHAKE_RECORD) {
                ReferenceCountUtil.release(message);
                tls.refused().accept(host(context) + " has connected without TLS to the port for members");
                var unusedClose = context.close();
                return;
            }
            var handshake = context.pipeline().get(SslHandler.class);
            if (tls != null && handshake != null) {
                var unusedReport = handshake.handshakeFuture().addListener(done -> {
                    if (!done.isSuccess()) {
                        tls.refused()
                                .accept(host(context) + " was refused at the port for members: "
                                        + reason(done.cause()));
                    }
                });
            }
            context.fireChannelRead(message);
            context.pipeline().remove(this);
        }

        /** The engine of TLS wraps what the check of the certificate has said, and its own reasons are for programmers. */
        private static String reason(Throwable failure) {
            for (var cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof CertificateException) {
                    return "its certificate is refused: " + cause.getMessage();
                }
            }
            return "it has shown no certificate that this member's authorities have signed, or it has refused this"
                    + " member's own (" + failure.getMessage() + ")";
        }

        private static String host(ChannelHandlerContext context) {
            return context.channel().remoteAddress() instanceof InetSocketAddress address
                    ? address.getAddress().getHostAddress()
                    : String.valueOf(context.channel().remoteAddress());
        }
    }
}
