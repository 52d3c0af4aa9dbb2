package dev.semel.server.replica;

import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A replica set of this one node, which is its primary as soon as it serves. */
public final class SingleMember implements ReplicaSet, SetAdministration {
    /** There has never been another candidate. */
    private static final long TERM = 1;

    private static final int PRIMARY = 1;

    private final String name;
    private final String address;
    private final Transactions transactions;
    private final @Nullable Expansion expansion;
    private final InstantSource clock;
    private final Instant elected;
    private final TopologyChanges changes;
    private final StoredConfig config;

    /**
     * The address is what clients connect to after discovery, whatever they connected to before.
     *
     * @param expansion null if it stays the only member
     */
    public SingleMember(
            String name,
            String address,
            Transactions transactions,
            @Nullable Expansion expansion,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.name = name;
        this.address = address;
        this.transactions = transactions;
        this.expansion = expansion;
        this.clock = clock;
        this.elected = clock.instant();
        this.changes = new TopologyChanges(nanoTime);
        SetConfig initial = SetConfig.initial(name, List.of(address), SetSettings.ELECTION_TIMEOUT_MS)
                .with(1, TERM);
        this.config = new StoredConfig(transactions, initial, changes::changed);
    }

    /** As a primary for itself, it would write to a copy of data that others change. */
    void requireAlone() throws IOException {
        List<SetMember> members = config.current().members();
        if (members.size() > 1) {
            throw new IOException(
                    "the data belongs to a member of the replica set '%s' with the members %s, and the folder 'replication' beside it, which has the log of these, is missing: restore both together, or start with an empty data directory"
                            .formatted(
                                    config.current().name(),
                                    members.stream().map(SetMember::host).collect(Collectors.joining(", "))));
        }
    }

    @Override
    public String name() {
        return name;
    }

    /** Whatever address it had when that was stored: there is no other member. */
    private SetConfig config() {
        SetConfig current = config.current();
        return current.with(List.of(self(current)));
    }

    private SetMember self(SetConfig current) {
        SetMember known = current.member(address);
        return known != null ? known : current.members().getFirst().at(address);
    }

    @Override
    public boolean isWritablePrimary() {
        return true;
    }

    @Override
    public boolean hasMode(String mode) {
        return config().settings().modes().containsKey(mode);
    }

    @Override
    public boolean awaitMode(String mode, long nanosMax, Interruption interruption) {
        return config().satisfies(mode, each -> true);
    }

    @Override
    public long topologyCounter() {
        return changes.counter();
    }

    @Override
    public void awaitChange(long counter, long nanosMax, Interruption interruption) {
        changes.await(counter, nanosMax, interruption);
    }

    @Override
    public boolean describe(BsonWriter hello) {
        SetConfig now = config();
        now.describe(hello, self(now));
        hello.put("secondary", false).put("primary", address).put("electionId", OpTime.electionId(TERM));
        OpTime.writeLast(hello, newest(), durable());
        return true;
    }

    private OpTime newest() {
        return new OpTime(transactions.visibleTime(), TERM);
    }

    private OpTime durable() {
        return new OpTime(transactions.durableTime(), TERM);
    }

    @Override
    public void status(BsonWriter reply) {
        OpTime newest = newest();
        SetConfig now = config();
        reply.put("set", name)
                .put("date", new Value.Date(clock.millis()))
                .put("myState", PRIMARY)
                .put("term", TERM)
                .put("syncSourceHost", "")
                .put("syncSourceId", -1)
                .put("heartbeatIntervalMillis", (long) now.settings().heartbeatIntervalMillis())
                .put("majorityVoteCount", 1)
                .put("writeMajorityCount", 1)
                .put("votingMembersCount", 1)
                .put("writableVotingMembersCount", 1);
        OpTime.writeAll(reply, newest, durable());
        reply.startArray("members").startDocument();
        reply.put("_id", self(now).id())
                .put("name", address)
                .put("health", 1.0)
                .put("state", PRIMARY)
                .put("stateStr", "PRIMARY")
                .put("uptime", clock.instant().getEpochSecond() - elected.getEpochSecond());
        newest.writeTo(reply, "optime");
        reply.put("optimeDate", newest.date())
                .put("syncSourceHost", "")
                .put("syncSourceId", -1)
                .put("infoMessage", "")
                .put("electionTime", new Value.Timestamp(elected.getEpochSecond() << 32 | 1))
                .put("electionDate", new Value.Date(elected.toEpochMilli()))
                .put("configVersion", now.version())
                .put("configTerm", now.term())
                .put("self", true)
                .put("lastHeartbeatMessage", "")
                .end()
                .end();
    }

    @Override
    public void configuration(BsonWriter reply) {
        reply.put("config", config().toDocument());
    }

    // ---- administration

    @Override
    public SetAdministration administration() {
        return this;
    }

    @Override
    public void initiate(RawDocument document, Interruption interruption) {
        if (config.isStored()) {
            throw new CommandException(ErrorCode.AlreadyInitialized, "already initialized");
        }
        SetConfig usual = config();
        SetConfig wanted = document.isEmpty() ? usual : Reconfiguration.parse(document, usual.settings());
        if (wanted.settings().replicaSetId() != null) {
            throw new CommandException(
                    ErrorCode.InvalidReplicaSetConfig,
                    "replica set configuration cannot contain 'replicaSetId' field when called from replSetInitiate:"
                            + " %s",
                    wanted.settings().replicaSetId());
        }
        Reconfiguration.check(wanted, ErrorCode.InvalidReplicaSetConfig);
        use(wanted.with(1, TERM), ErrorCode.InvalidReplicaSetConfig, interruption);
    }

    @Override
    public void reconfigure(RawDocument document, boolean isForced, Interruption interruption) {
        SetConfig wanted = Reconfiguration.next(document, config(), TERM, isForced);
        use(wanted, ErrorCode.NewReplicaSetConfigurationIncompatible, interruption);
    }

    private void use(SetConfig wanted, ErrorCode code, Interruption interruption) {
        SetMember self = requireThis(wanted, code);
        SetConfig identified = identified(wanted);
        if (wanted.members().size() == 1) {
            config.store(identified, interruption);
            return;
        }
        Expansion by = expansion;
        if (by == null) {
            throw new CommandException(
                    code,
                    "this server has its data in memory, or is part of another program, and can only be the only"
                            + " member of its set: start it by 'semel serve' with --replSet and --dbpath");
        }
        if (!self.isElectable()) {
            throw new CommandException(
                    code,
                    "This node, %s, with _id %d is not electable under the new configuration with {version: %d, term:"
                            + " %d} for replica set %s",
                    self.host(),
                    self.id(),
                    wanted.version(),
                    wanted.term(),
                    name);
        }
        by.prepare(identified, self.host(), interruption);
        config.store(identified, interruption);
        by.begin();
    }

    private SetConfig identified(SetConfig wanted) {
        Expansion by = expansion;
        return by == null || wanted.settings().replicaSetId() != null ? wanted : wanted.with(by.newId());
    }

    private SetMember requireThis(SetConfig wanted, ErrorCode code) {
        if (!wanted.name().equals(name)) {
            throw new CommandException(
                    code,
                    "Attempting to initiate a replica set with name %s, but command line reports %s; rejecting",
                    wanted.name(),
                    name);
        }
        return wanted.members().stream()
                .filter(each -> isHere(each.host()))
                .findFirst()
                .orElseThrow(() -> new CommandException(
                        ErrorCode.NodeNotFound,
                        "No host described in new configuration with {version: %d, term: %d} for replica set %s maps to"
                                + " this node: it is %s, or another address if it is started with --advertise",
                        wanted.version(),
                        wanted.term(),
                        name,
                        address));
    }

    /** A loopback address has several names, all of this machine. */
    private boolean isHere(String host) {
        return host.equals(address)
                || (SetConfig.isLoopback(host)
                        && SetConfig.isLoopback(address)
                        && host.substring(host.lastIndexOf(':')).equals(address.substring(address.lastIndexOf(':'))));
    }

    @Override
    public void stepDown(StepDown how, Interruption interruption) {
        throw new CommandException(
                ErrorCode.ExceededTimeLimit, "No electable secondaries caught up: the set has no other member");
    }

    @Override
    public void stepUp(Interruption interruption) {
        // It is primary already.
    }

    @Override
    public void freeze(Duration period) {
        throw new CommandException(
                ErrorCode.NotSecondary, "cannot freeze node when primary or running for election. state: Primary");
    }

    @Override
    public void maintenance(boolean isOn) {
        throw new CommandException(ErrorCode.NotSecondary, "primaries can't modify maintenance mode");
    }
}
