package dev.semel.server.replica;

import dev.semel.server.command.Arguments;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a replica set: the document of {@code rs.conf()}. Of two, the one with the higher version is newer.
 *
 * @param term in which it was made
 */
public record SetConfig(String name, int version, long term, List<SetMember> members, SetSettings settings) {
    /** MongoDB's limits. */
    static final int MEMBERS_MAX = 50;

    private static final int VOTERS_MAX = 7;

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    public SetConfig {
        members = List.copyOf(members);
    }

    /** What the members of a set begin with that were all named at its start. */
    public static SetConfig initial(String name, List<String> hosts, int electionTimeoutMillis) {
        List<SetMember> members = Stream.iterate(0, i -> i + 1)
                .limit(hosts.size())
                .map(i -> SetMember.of(i, hosts.get(i)))
                .toList();
        return new SetConfig(name, 1, 0, members, SetSettings.usual(electionTimeoutMillis));
    }

    // ---- as a document

    /**
     * As a client has written it; what is wrong in itself fails, what is wrong between members is told by {@link #check}.
     *
     * @param usual of settings that it does not mention
     */
    public static SetConfig parse(RawDocument document, SetSettings usual) {
        Arguments in = Arguments.ofDocument("ReplSetConfig", document);
        if (in.integer("protocolVersion", 1) != 1) {
            throw SetMember.invalid("protocolVersion must be 1");
        }
        long version = in.atLeast("version", 1, 1);
        if (version > Integer.MAX_VALUE) {
            throw SetMember.invalid("version field value of %d is out of range", version);
        }
        SetConfig config = new SetConfig(
                in.requiredString("_id"),
                (int) version,
                in.integer("term", 0),
                members(in),
                SetSettings.parse(in.documentOrEmpty("settings"), usual));
        in.notHonoured("configsvr");
        in.ignored("writeConcernMajorityJournalDefault").refuseUnknown();
        return config;
    }

    private static List<SetMember> members(Arguments in) {
        in.required("members");
        return in.optionalDocuments("members").stream().map(SetMember::parse).toList();
    }

    public RawDocument toDocument() {
        BsonWriter out = new BsonWriter(1024)
                .put("_id", name)
                .put("version", version)
                .put("term", term)
                .startArray("members");
        members.forEach(each -> each.writeTo(out));
        out.end().put("protocolVersion", 1L).put("writeConcernMajorityJournalDefault", true);
        settings.writeTo(out);
        return out.finish();
    }

    // ---- what must hold

    /** Whatever can be said without knowing what was before. */
    public void check() {
        if (name.isEmpty()) {
            throw SetMember.invalid("Replica set configuration must have non-empty _id field");
        }
        if (members.isEmpty() || members.size() > MEMBERS_MAX) {
            throw SetMember.invalid(
                    "Replica set configuration contains %d members, but must have at least 1 and no more than %d",
                    members.size(), MEMBERS_MAX);
        }
        requireDistinct();
        long loopback = count(each -> isLoopback(each.host()));
        if (loopback > 0 && loopback < members.size()) {
            throw SetMember.invalid(
                    "Either all host names in a replica set configuration must be localhost references, or none must"
                            + " be; found %d out of %d",
                    loopback, members.size());
        }
        long voters = count(SetMember::isVoter);
        if (voters < 1 || voters > VOTERS_MAX) {
            throw SetMember.invalid(
                    "Replica set configuration contains %d voting members, but must be at least 1 and no more than %d",
                    voters, VOTERS_MAX);
        }
        if (members.stream().noneMatch(SetMember::isElectable)) {
            throw SetMember.invalid(
                    "Replica set configuration must contain at least one non-arbiter member with priority > 0");
        }
        settings.modes().forEach(this::checkMode);
    }

    static boolean isLoopback(String address) {
        return LOOPBACK.contains(host(address));
    }

    private static String host(String address) {
        return address.substring(0, address.lastIndexOf(':'));
    }

    private long count(Predicate<SetMember> which) {
        return members.stream().filter(which).count();
    }

    private void requireDistinct() {
        for (int i = 0; i < members.size(); i++) {
            for (int j = i + 1; j < members.size(); j++) {
                if (members.get(i).id() == members.get(j).id()) {
                    throw SetMember.invalid(
                            "Found two member configurations with same _id field, members.%d._id == members.%d._id =="
                                    + " %d",
                            i, j, members.get(i).id());
                }
                if (members.get(i).host().equals(members.get(j).host())) {
                    throw SetMember.invalid(
                            "Found two member configurations with same host field, members.%d.host == members.%d.host"
                                    + " == %s",
                            i, j, members.get(i).host());
                }
            }
        }
    }

    private void checkMode(String mode, Map<String, Integer> wanted) {
        wanted.forEach((tag, count) -> {
            if (values(tag, each -> true).size() < count) {
                throw new CommandException(
                        ErrorCode.UnsatisfiableWriteConcern,
                        "the write concern mode '%s' needs %d values of the tag '%s', which the members do not have",
                        mode,
                        count,
                        tag);
            }
        });
    }

    /** Why it is not a configuration of the same set, whatever it says of its members. */
    Optional<String> otherSet(SetConfig before) {
        if (!name.equals(before.name)) {
            return Optional.of("New and old configurations differ in replica set name; old was %s, and new is %s"
                    .formatted(before.name, name));
        }
        ObjectId id = settings.replicaSetId();
        ObjectId known = before.settings.replicaSetId();
        return known == null || known.equals(id)
                ? Optional.empty()
                : Optional.of("New and old configurations differ in replica set ID; old was %s, and new is %s"
                        .formatted(known, id));
    }

    /** Whether it may replace another one, without force; the message says why not. */
    public Optional<String> incompatibility(SetConfig before) {
        Optional<String> other = otherSet(before);
        if (other.isPresent()) {
            return other;
        }
        if (version <= before.version) {
            return Optional.of(
                    "New replica set configuration version must be greater than old, but %d is not greater than %d for replica set %s"
                            .formatted(version, before.version, name));
        }
        for (SetMember each : members) {
            SetMember known = before.member(each.host());
            if (known != null && known.id() != each.id()) {
                return Optional.of(
                        "New and old configurations both have members with host of %s but in the new configuration the _id field is %d and in the old configuration it is %d for replica set %s"
                                .formatted(each.host(), each.id(), known.id(), name));
            }
        }
        Set<String> changed = new HashSet<>(voters());
        Set<String> kept = before.voters();
        Set<String> union = Stream.concat(changed.stream(), kept.stream()).collect(Collectors.toSet());
        changed.retainAll(kept);
        return union.size() - changed.size() <= 1
                ? Optional.empty()
                : Optional.of("Non force replica set reconfig can only add or remove at most 1 voting member."
                        + renamed(before));
    }

    /** What MongoDB takes for a change of one member. */
    private String renamed(SetConfig before) {
        return members.stream()
                .filter(each -> before.members.stream()
                        .anyMatch(known ->
                                known.id() == each.id() && !known.host().equals(each.host())))
                .map(each -> (" The member with _id %d cannot become %s, because hosts do not change: add that one with"
                                + " another _id, then remove the old one.")
                        .formatted(each.id(), each.host()))
                .findFirst()
                .orElse("");
    }

    // ---- questions

    public @Nullable SetMember member(String host) {
        return members.stream()
                .filter(each -> each.host().equals(host))
                .findFirst()
                .orElse(null);
    }

    /** Their hosts. */
    public Set<String> voters() {
        return members.stream().filter(SetMember::isVoter).map(SetMember::host).collect(Collectors.toSet());
    }

    public int majority() {
        return (int) count(SetMember::isVoter) / 2 + 1;
    }

    /** Whether members that have a write are enough for the write concern of this name, which the settings have. */
    public boolean satisfies(String mode, Predicate<SetMember> hasWrite) {
        return settings.modes().getOrDefault(mode, Map.of()).entrySet().stream()
                .allMatch(each -> values(each.getKey(), hasWrite).size() >= each.getValue());
    }

    private Set<String> values(String tag, Predicate<SetMember> which) {
        return members.stream()
                .filter(which)
                .filter(each -> each.tags().containsKey(tag))
                .map(each -> String.valueOf(each.tags().get(tag)))
                .collect(Collectors.toSet());
    }

    /** The fields of {@code hello} that follow from it, on one of the members. */
    public void describe(BsonWriter hello, SetMember self) {
        addHosts(hello, "hosts", SetMember::isElectable);
        if (members.stream().anyMatch(each -> !each.hidden() && !each.isElectable())) {
            addHosts(hello, "passives", each -> !each.isElectable());
        }
        hello.put("setName", name).put("setVersion", version);
        writeId(hello);
        if (!self.isElectable()) {
            hello.put("passive", true);
        }
        if (self.hidden()) {
            hello.put("hidden", true);
        }
        if (self.delaySecs() > 0) {
            hello.put("secondaryDelaySecs", self.delaySecs());
        }
        if (!self.tags().isEmpty()) {
            hello.startDocument("tags");
            self.tags().forEach(hello::put);
            hello.end();
        }
        hello.put("me", self.host());
    }

    /** For other members, which ask before they take one for theirs. MongoDB has no such field. */
    public void writeId(BsonWriter hello) {
        ObjectId id = settings.replicaSetId();
        if (id != null) {
            hello.put("replicaSetId", new Value.Oid(id));
        }
    }

    private void addHosts(BsonWriter hello, String field, Predicate<SetMember> which) {
        hello.startArray(field);
        members.stream().filter(each -> !each.hidden()).filter(which).forEach(each -> hello.add(each.host()));
        hello.end();
    }

    // ---- changes

    public SetConfig with(ObjectId id) {
        return new SetConfig(name, version, term, members, settings.with(id));
    }

    public SetConfig with(int otherVersion, long otherTerm) {
        return new SetConfig(name, otherVersion, otherTerm, members, settings);
    }

    public SetConfig with(List<SetMember> others) {
        return new SetConfig(name, version, term, others, settings);
    }
}
