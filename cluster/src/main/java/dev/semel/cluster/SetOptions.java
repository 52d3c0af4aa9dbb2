package dev.semel.cluster;

import dev.semel.server.replica.SetConfig;
import dev.semel.server.replica.SetSettings;
import dev.semel.wire.bson.ObjectId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A replica set of several members, and which of them this one is.
 *
 * @param members the addresses under which clients reach them, {@code host:port}, the same on each member; empty of a
 *     member that waits to be added to a set that exists
 * @param self one of them
 * @param folder for the consensus log
 * @param electionTimeout a member that hears no primary for this long asks to be elected
 * @param security null: not at all, which is for members on the loopback address
 * @param id tells apart sets of the same name; null for a set that was begun with all its members, which cannot have
 *     agreed on one before
 */
public record SetOptions(
        String name,
        List<String> members,
        String self,
        Path folder,
        Duration electionTimeout,
        @Nullable MemberSecurity security,
        @Nullable String id) {
    /** Members listen for each other at the port for clients and so much. */
    public static final int PORT_OFFSET = 1000;

    private static final int PORT_MAX = 65_535 - PORT_OFFSET;

    /** In the folder of the data: for the consensus log. */
    public static final String FOLDER = "replication";

    /**
     * What a set has that says nothing else.
     */
    public static final Duration ELECTION_TIMEOUT = Duration.ofMillis(SetSettings.ELECTION_TIMEOUT_MS);

    public SetOptions {
        members = List.copyOf(members);
        if (new HashSet<>(members).size() < members.size()) {
            throw new IllegalArgumentException("a member is named twice: " + members);
        }
        if (!members.isEmpty() && !members.contains(self)) {
            throw new IllegalArgumentException("%s is not one of the members %s".formatted(self, members));
        }
        requirePort(self);
        members.forEach(SetOptions::requirePort);
    }

    public SetOptions(String name, List<String> members, String self, Path folder, Duration electionTimeout) {
        this(name, members, self, folder, electionTimeout, null);
    }

    public SetOptions(
            String name,
            List<String> members,
            String self,
            Path folder,
            Duration electionTimeout,
            @Nullable MemberSecurity security) {
        this(name, members, self, folder, electionTimeout, security, null);
    }

    /** Whether the set began with this member's data. */
    boolean isFounder() {
        return id != null && members.equals(List.of(self));
    }

    /** The same for all members of a set, and for no other set. */
    UUID group() {
        String whole = id == null ? name : name + '\n' + id;
        return UUID.nameUUIDFromBytes(whole.getBytes(StandardCharsets.UTF_8));
    }

    /** What counts until a configuration is stored. */
    SetConfig initial() {
        SetConfig initial = SetConfig.initial(name, members, Math.toIntExact(electionTimeout.toMillis()));
        return id == null ? initial : initial.with(ObjectId.parse(id));
    }

    String connectionString() {
        return "mongodb://" + String.join(",", members) + "/?replicaSet=" + name;
    }

    static void requirePort(String member) {
        int port = port(member);
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException(
                    "%s: the port of a member is 1 to %d, because members listen for each other at the port for clients plus %d"
                            .formatted(member, PORT_MAX, PORT_OFFSET));
        }
    }

    static String host(String member) {
        return member.substring(0, member.lastIndexOf(':'));
    }

    static int port(String member) {
        return Integer.parseInt(member.substring(member.lastIndexOf(':') + 1));
    }

    static int replicationPort(String member) {
        return port(member) + PORT_OFFSET;
    }
}
