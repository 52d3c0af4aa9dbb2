package dev.semel.replication.ratis;

import dev.semel.replication.GroupId;
import dev.semel.replication.Member;
import dev.semel.replication.Membership;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.util.ProtoUtils;

/** Members as Ratis writes them. */
final class Peers {
    private Peers() {}

    static RaftGroup group(GroupId group, Membership membership) {
        return RaftGroup.valueOf(
                id(group),
                Stream.concat(voters(membership).stream(), learners(membership).stream())
                        .toList());
    }

    static RaftGroupId id(GroupId group) {
        return RaftGroupId.valueOf(group.uuid());
    }

    static List<RaftPeer> voters(Membership membership) {
        return peers(membership.voters(), RaftPeerRole.FOLLOWER);
    }

    static List<RaftPeer> learners(Membership membership) {
        return peers(membership.learners(), RaftPeerRole.LISTENER);
    }

    static Membership membership(RaftConfigurationProto configuration) {
        return new Membership(
                configuration.getPeersList().stream()
                        .map(ProtoUtils::toRaftPeer)
                        .map(Peers::member)
                        .toList(),
                configuration.getListenersList().stream()
                        .map(ProtoUtils::toRaftPeer)
                        .map(Peers::member)
                        .toList());
    }

    static Membership membership(RaftConfiguration configuration) {
        return new Membership(
                members(configuration.getCurrentPeers(RaftPeerRole.FOLLOWER)),
                members(configuration.getCurrentPeers(RaftPeerRole.LISTENER)));
    }

    private static List<RaftPeer> peers(List<Member> members, RaftPeerRole role) {
        return members.stream()
                .map(member -> RaftPeer.newBuilder()
                        .setId(member.name())
                        .setAddress(member.host() + ":" + member.port())
                        .setPriority(member.priority())
                        .setStartupRole(role)
                        .build())
                .toList();
    }

    private static List<Member> members(Collection<RaftPeer> peers) {
        return peers.stream().map(Peers::member).toList();
    }

    private static Member member(RaftPeer peer) {
        var address = peer.getAddress();
        int colon = address.lastIndexOf(':');
        return new Member(
                peer.getId().toString(),
                address.substring(0, colon),
                Integer.parseInt(address.substring(colon + 1)),
                peer.getPriority());
    }
}
