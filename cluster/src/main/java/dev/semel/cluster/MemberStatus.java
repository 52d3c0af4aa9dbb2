package dev.semel.cluster;

import dev.semel.cluster.Peers.Peer;
import dev.semel.cluster.Peers.State;
import dev.semel.server.replica.OpTime;
import dev.semel.server.replica.SetConfig;
import dev.semel.server.replica.SetMember;
import dev.semel.store.Transactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The reply of {@code replSetGetStatus}: this member as it is, the others as they answer at this moment. */
final class MemberStatus {
    private final SetOptions options;
    private final Transactions transactions;
    private final InstantSource clock;
    private final long startedMillis;
    private final Peers peers;

    MemberStatus(SetOptions options, MemberClient client, Transactions transactions, InstantSource clock) {
        this.options = options;
        this.transactions = transactions;
        this.clock = clock;
        this.startedMillis = clock.millis();
        this.peers = new Peers(client, clock);
    }

    long now() {
        return clock.millis();
    }

    void write(BsonWriter reply, SetConfig config, RaftReplicaSet.View view) {
        if (config.members().isEmpty()) {
            throw new CommandException(ErrorCode.NotYetInitialized, "no replset config has been received");
        }
        List<String> others = config.members().stream()
                .map(SetMember::host)
                .filter(each -> !each.equals(options.self()))
                .toList();
        Map<String, Peer> answers = peers.ask(others);
        OpTime newest = new OpTime(transactions.visibleTime(), view.term());
        OpTime durable = new OpTime(transactions.durableTime(), view.term());
        State own = view.state();
        reply.put("set", config.name())
                .put("date", new Value.Date(clock.millis()))
                .put("myState", own.number)
                .put("term", view.term())
                .put("syncSourceHost", source(view, options.self()))
                .put("syncSourceId", sourceId(config, source(view, options.self())))
                .put("heartbeatIntervalMillis", (long) config.settings().heartbeatIntervalMillis())
                .put("majorityVoteCount", config.majority())
                .put("writeMajorityCount", config.majority())
                .put("votingMembersCount", config.voters().size())
                .put("writableVotingMembersCount", config.voters().size());
        OpTime.writeAll(reply, newest, durable);
        if (view.isWritable()) {
            reply.startDocument("electionCandidateMetrics")
                    .put("lastElectionDate", new Value.Date(view.electedMillis()))
                    .put("electionTerm", view.term())
                    .put("electionTimeoutMillis", (long) config.settings().electionTimeoutMillis())
                    .end();
        }
        reply.startArray("members");
        for (SetMember each : config.members()) {
            reply.startDocument().put("_id", each.id()).put("name", each.host());
            Peer peer = answers.get(each.host());
            if (each.host().equals(options.self())) {
                addSelf(reply, own, newest, durable, view);
            } else if (peer != null) {
                addOther(reply, each, peer);
            }
            String source = peer != null && peer.state() == State.PRIMARY ? "" : source(view, each.host());
            reply.put("syncSourceHost", source)
                    .put("syncSourceId", sourceId(config, source))
                    .put("infoMessage", "")
                    .put("configVersion", config.version())
                    .put("configTerm", config.term());
            if (each.host().equals(options.self())) {
                reply.put("self", true).put("lastHeartbeatMessage", "");
            }
            reply.end();
        }
        reply.end();
    }

    /** Everybody receives from the primary. */
    private static String source(RaftReplicaSet.View view, String host) {
        String primary = view.primary();
        return primary == null || primary.equals(host) ? "" : primary;
    }

    private static int sourceId(SetConfig config, String host) {
        SetMember source = config.member(host);
        return source == null ? -1 : source.id();
    }

    private void addSelf(BsonWriter reply, State state, OpTime newest, OpTime durable, RaftReplicaSet.View view) {
        reply.put("health", 1.0)
                .put("state", state.number)
                .put("stateStr", state.text)
                .put("uptime", (clock.millis() - startedMillis) / 1000);
        newest.writeTo(reply, "optime");
        reply.put("optimeDate", newest.date())
                .put("lastAppliedWallTime", newest.date())
                .put("lastDurableWallTime", durable.date());
        if (view.isWritable()) {
            addElection(reply, view);
        }
    }

    private static void addElection(BsonWriter reply, RaftReplicaSet.View view) {
        reply.put("electionTime", new Value.Timestamp(((view.electedMillis() / 1000) << 32) | 1))
                .put("electionDate", new Value.Date(view.electedMillis()));
    }

    private void addOther(BsonWriter reply, SetMember member, Peer peer) {
        boolean isUp = peer.state() != State.DOWN;
        reply.put("health", isUp ? 1.0 : 0.0)
                .put("state", peer.state().number)
                .put("stateStr", peer.state().text)
                .put("uptime", isUp ? (clock.millis() - startedMillis) / 1000 : 0L);
        OpTime applied = peer.applied();
        OpTime reached = applied == null ? new OpTime(0, -1) : applied;
        reached.writeTo(reply, "optime");
        reached.writeTo(reply, "optimeDurable");
        reply.put("optimeDate", reached.date())
                .put("optimeDurableDate", reached.date())
                .put("lastAppliedWallTime", reached.date())
                .put("lastDurableWallTime", reached.date())
                .put("lastHeartbeat", new Value.Date(peer.askedMillis()))
                .put("lastHeartbeatRecv", new Value.Date(peer.receivedMillis()))
                .put("pingMs", peer.pingMs())
                .put(
                        "lastHeartbeatMessage",
                        isUp ? "" : "Error connecting to " + member.host() + " :: " + peer.problem());
    }
}
