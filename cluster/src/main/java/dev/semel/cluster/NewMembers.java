package dev.semel.cluster;

import dev.semel.server.replica.SetConfig;
import dev.semel.server.replica.SetMember;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The servers that a configuration names for the first time: whether they can belong to the set, which they are told then.
 *
 * @param self the member that asks
 * @param id of the consensus group, besides the name of the set; null for a set that was begun with all its members
 */
record NewMembers(
        String self,
        @Nullable String id,
        MemberClient client,
        @Nullable MemberSecurity security) {
    private static final Duration ANSWER_ATMOST = Duration.ofSeconds(5);
    private static final Duration PRESENT_ANSWER_ATMOST = Duration.ofMillis(500);

    /** All are asked before one is told: one that is told belongs to this set from then on, and is of no use for another. */
    void invite(SetConfig next, @Nullable SetConfig now) {
        requirePorts(next);
        List<String> hosts = next.members().stream()
                .map(SetMember::host)
                .filter(each -> !each.equals(self) && (now == null || now.member(each) == null))
                .toList();
        if (hosts.isEmpty()) {
            return;
        }
        Map<Value, String> nodes = new HashMap<>();
        check(self, hello(self, next), nodes);
        if (now != null) {
            now.members().stream()
                    .map(SetMember::host)
                    .filter(each -> !each.equals(self) && next.member(each) != null)
                    .forEach(each -> checkIfUp(each, nodes));
        }
        List<String> waiting =
                hosts.stream().filter(each -> isToBeInvited(each, next, nodes)).toList();
        waiting.forEach(each -> invite(each, next, true));
        waiting.forEach(each -> invite(each, next, false));
    }

    private static void requirePorts(SetConfig next) {
        for (SetMember each : next.members()) {
            try {
                SetOptions.requirePort(each.host());
            } catch (IllegalArgumentException e) {
                throw incompatible("%s", String.valueOf(e.getMessage()));
            }
        }
    }

    private void checkIfUp(String host, Map<Value, String> nodes) {
        try {
            check(host, client.hello(host, PRESENT_ANSWER_ATMOST), nodes);
        } catch (IOException e) {
            // It belongs to the set already, and may be down.
        }
    }

    private RawDocument hello(String host, SetConfig next) {
        try {
            return client.hello(host, ANSWER_ATMOST);
        } catch (IOException e) {
            throw notFound(host, next, e);
        }
    }

    /** The first version is that of {@code replSetInitiate}, as MongoDB tells them apart. */
    private static CommandException notFound(String host, SetConfig next, IOException e) {
        return new CommandException(
                ErrorCode.NodeNotFound,
                "%s: %s failed with %s. Start that member first, with --replSet and an empty --dbpath, or correct its"
                        + " host",
                next.version() == 1
                        ? "replSetInitiate quorum check failed because not all proposed set members responded"
                                + " affirmatively"
                        : "Quorum check failed because not all new members responded; the following nodes did not"
                                + " respond affirmatively",
                host,
                String.valueOf(e.getMessage()));
    }

    /** One node may have several addresses; it cannot be several members. */
    private static void check(String host, RawDocument hello, Map<Value, String> nodes) {
        if (hello.get("topologyVersion") instanceof Value.Doc(RawDocument version)) {
            Value process = version.get("processId");
            String other = process == null ? null : nodes.putIfAbsent(process, host);
            if (other != null) {
                throw incompatible(
                        "The hosts %s and %s are both the same node: each member needs its own server and --dbpath",
                        other, host);
            }
        }
    }

    private boolean isToBeInvited(String host, SetConfig next, Map<Value, String> nodes) {
        RawDocument hello = hello(host, next);
        check(host, hello, nodes);
        Value name = hello.get("setName");
        if (name instanceof Value.Str(var other) && !other.toString().equals(next.name())) {
            throw incompatible(
                    "%s was started with --replSet %s, and this set is %s: restart it with --replSet %s and an empty"
                            + " --dbpath",
                    host, other, next.name(), next.name());
        }
        ObjectId own = next.settings().replicaSetId();
        if (hello.get("replicaSetId") instanceof Value.Oid(ObjectId theirs)) {
            if (own != null && !theirs.equals(own)) {
                throw incompatible(
                        "Our replica set ID did not match that of our request target, replSetId: %s, requestTarget:"
                                + " %s, requestTargetReplSetId: %s: that server has the data of another set of the same"
                                + " name; restart it with an empty --dbpath",
                        own, host, theirs);
            }
            if (isWritablePrimary(hello)) {
                throw incompatible(
                        "%s has data of this set, as a copy of a member's has, and is a primary for itself: what was"
                                + " written there would be lost; restart it with an empty --dbpath",
                        host);
            }
            if (hello.get(RaftReplicaSet.ME) instanceof Value.Str(var known)
                    && !known.toString().equals(host)) {
                throw incompatible(
                        "%s was told before that it belongs to this set as %s: name it so, or restart it with an empty"
                                + " --dbpath",
                        host, known);
            }
            return false;
        }
        if (name != null && isWritablePrimary(hello)) {
            // The only member of a set that was never initiated.
            return true;
        }
        if (name == null && !hello.has("isreplicaset")) {
            throw incompatible(
                    "%s belongs to no replica set: restart it with --replSet %s and an empty --dbpath",
                    host, next.name());
        }
        if (id != null) {
            throw incompatible(
                    "%s waits for the members that its --members names: restart it without --members and with an empty"
                            + " --dbpath",
                    host);
        }
        return false;
    }

    private static boolean isWritablePrimary(RawDocument hello) {
        return hello.get("isWritablePrimary") instanceof Value.Bool(boolean isPrimary) && isPrimary;
    }

    private void invite(String host, SetConfig next, boolean isQuestion) {
        try {
            new Invitation(Invitation.FORMAT, next.name(), id == null ? "" : id, host, self, isQuestion)
                    .send(security, ANSWER_ATMOST);
        } catch (IOException e) {
            throw new CommandException(
                    ErrorCode.NodeNotFound,
                    "%s does not answer at its port for members, %d: %s. Start it by 'semel serve' with --replSet %s,"
                        + " and with the same --keyFile or --tlsClusterFile as this member, or without as this member",
                    host,
                    SetOptions.replicationPort(host),
                    String.valueOf(e.getMessage()),
                    next.name());
        }
    }

    private static CommandException incompatible(String message, Object... arguments) {
        return new CommandException(ErrorCode.NewReplicaSetConfigurationIncompatible, message, arguments);
    }
}
