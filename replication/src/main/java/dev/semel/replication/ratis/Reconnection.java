package dev.semel.replication.ratis;

import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;

/**
 * Gives a member that has known no leader for a while new connections to the others, again and again. After each failure gRPC
 * waits longer before it connects again, up to two minutes, and meanwhile whatever is to be sent fails: a member that had waited
 * for others would not get their votes when they are there. A leader's appenders look after their own connections.
 *
 * <p>Elections usually end long before that, so their messages are not broken off.
 */
final class Reconnection {
    private final RaftServer server;
    private final RaftServer.Division division;
    private final int looksWithoutLeaderMax;
    private int looksWithoutLeader;

    /** @param looksWithoutLeaderMax after so many looks, one after the other, there are new connections */
    Reconnection(RaftServer server, RaftServer.Division division, int looksWithoutLeaderMax) {
        this.server = server;
        this.division = division;
        this.looksWithoutLeaderMax = looksWithoutLeaderMax;
    }

    /** From time to time. */
    void look() {
        if (!division.getInfo().isAlive() || division.getInfo().getLeaderId() != null) {
            looksWithoutLeader = 0;
        } else if (++looksWithoutLeader == looksWithoutLeaderMax) {
            looksWithoutLeader = 0;
            connectAnew();
        }
    }

    private void connectAnew() {
        var proxies = ((GrpcServicesImpl) server.getServerRpc()).getProxies();
        for (RaftPeer each : division.getRaftConf().getAllPeers()) {
            if (!each.getId().equals(server.getId())) {
                proxies.resetProxy(each.getId());
            }
        }
    }
}
