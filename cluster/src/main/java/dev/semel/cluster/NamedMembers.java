package dev.semel.cluster;

import dev.semel.server.replica.SetConfig;
import dev.semel.server.replica.SetMember;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members that a server was told at its start. They count at the first one; afterwards the configuration does, which may
 * have changed since: who starts a member must not have to know it, and must not believe that a list changes it.
 *
 * @param members empty if none were named
 */
record NamedMembers(List<String> members) {
    static final NamedMembers NONE = new NamedMembers(List.of());

    private static final Duration ANSWER_ATMOST = Duration.ofMillis(300);

    NamedMembers {
        members = List.copyOf(members);
    }

    /** As long as there is no configuration: the members that began the set would wait for others for ever. */
    void requireSameAs(SetOptions begun) throws IOException {
        if (!begun.members().isEmpty() && areOther(begun.members())) {
            throw new IOException(
                    "the folder %s belongs to a replica set '%s' that was begun with the members %s and has elected no primary as far as is known here, and --members names %s: start it with those, or all members with empty --dbpath"
                            .formatted(begun.folder(), begun.name(), list(begun.members()), list(members)));
        }
    }

    /**
     * As far as they answer now: members that call their sets by different names would wait for each other for ever. Asked
     * before there is a configuration.
     */
    static void requireSameName(SetOptions begun, MemberClient client) throws IOException {
        for (String each : begun.members()) {
            String other = each.equals(begun.self()) ? null : setName(each, client);
            if (other != null && !other.equals(begun.name())) {
                throw new IOException(
                        "%s, which is one of the members of this set, belongs to the replica set '%s', and this server to '%s': start all members with the same --replSet, this one with an empty --dbpath"
                                .formatted(each, other, begun.name()));
            }
        }
    }

    private static @Nullable String setName(String host, MemberClient client) {
        try {
            return client.hello(host, ANSWER_ATMOST).get("setName") instanceof Value.Str(var name)
                    ? name.toString()
                    : null;
        } catch (IOException e) {
            // It may be started later.
            return null;
        }
    }

    List<String> warnings(SetConfig config, String self) {
        List<String> hosts = config.members().stream().map(SetMember::host).toList();
        if (hosts.isEmpty()) {
            return List.of();
        }
        if (!hosts.contains(self)) {
            return List.of(
                    "%s is not in the configuration of the replica set '%s', as far as is known here, which has the members %s: clients are shown nothing until replSetReconfig adds this member"
                            .formatted(self, config.name(), list(hosts)));
        }
        if (areOther(hosts)) {
            return List.of(
                    "--members names %s, and the configuration of the replica set '%s' has the members %s, which count: correct or omit --members; replSetReconfig adds and removes members"
                            .formatted(list(members), config.name(), list(hosts)));
        }
        return List.of();
    }

    private boolean areOther(List<String> known) {
        return !members.isEmpty() && !Set.copyOf(members).equals(Set.copyOf(known));
    }

    private static String list(List<String> hosts) {
        return String.join(", ", hosts);
    }
}
