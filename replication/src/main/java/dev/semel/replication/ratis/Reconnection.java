package dev.semel.replication.ratis;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Method;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.PeerProxyMap;

/**
 * Lets a member that knows no leader try to reach the others again and again. After each failure gRPC waits longer before it
 * connects again, up to two minutes, and meanwhile whatever is to be sent fails: a member that had waited for others would not
 * get their votes when they are there. A leader's appenders look after their own connections.
 */
final class Reconnection {
    private final RaftServer server;
    private final RaftServer.Division division;

    Reconnection(RaftServer server, RaftServer.Division division) {
        this.server = server;
        this.division = division;
    }

    /** From time to time. */
    void look() {
        if (!division.getInfo().isAlive() || division.getInfo().getLeaderId() != null) {
            return;
        }
        var proxies = ((GrpcServicesImpl) server.getServerRpc()).getProxies();
        for (RaftPeer each : division.getRaftConf().getAllPeers()) {
            if (!each.getId().equals(server.getId())) {
                connect(proxies, each);
            }
        }
    }

    private static void connect(PeerProxyMap<? extends Closeable> proxies, RaftPeer peer) {
        try {
            Closeable proxy = proxies.getProxy(peer.getId());
            // Public, of a class that is not.
            Method method = proxy.getClass().getMethod("resetConnectBackoff");
            method.setAccessible(true);
            method.invoke(proxy);
        } catch (IOException e) {
            // The member is being closed, or the other one was removed at this moment.
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This version of Ratis has other connections", e);
        }
    }
}
