package dev.semel.server.replica;

import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.Value;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** A replica set of this one node, which is its primary as soon as it serves. */
public final class SingleMember implements ReplicaSet {
    /** There has never been another candidate. */
    private static final long TERM = 1;

    private static final int PRIMARY = 1;

    private final String name;
    private final String address;
    private final Transactions transactions;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Instant elected;

    /** The address is what clients connect to after discovery, whatever they connected to before. */
    public SingleMember(
            String name, String address, Transactions transactions, InstantSource clock, LongSupplier nanoTime) {
        this.name = name;
        this.address = address;
        this.transactions = transactions;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.elected = clock.instant();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isWritablePrimary() {
        return true;
    }

    @Override
    public long topologyCounter() {
        return TERM;
    }

    @Override
    public void awaitChange(long counter, long nanosMax, Interruption interruption) {
        awaitNothing(nanoTime, nanosMax, interruption);
    }

    /** Nothing ever changes here, but the end of the server ends the wait. */
    static void awaitNothing(LongSupplier nanoTime, long nanosMax, Interruption interruption) {
        Interruption until = Interruption.at(nanoTime, nanoTime.getAsLong() + nanosMax);
        while (until.remainingNanos() > 0) {
            interruption.check();
            interruption.park(nanoTime, until.remainingNanos());
        }
        interruption.check();
    }

    @Override
    public void describe(BsonWriter hello) {
        long newest = transactions.visibleTime();
        long durable = transactions.durableTime();
        hello.startArray("hosts").add(address).end();
        hello.put("setName", name)
                .put("setVersion", 1)
                .put("secondary", false)
                .put("primary", address)
                .put("me", address)
                .put("electionId", new Value.Oid(electionId()))
                .startDocument("lastWrite");
        opTime(hello, "opTime", newest);
        hello.put("lastWriteDate", date(newest));
        opTime(hello, "majorityOpTime", durable);
        hello.put("majorityWriteDate", date(durable)).end();
    }

    /** As MongoDB makes it of a term, so that a later term compares higher. */
    private static ObjectId electionId() {
        return new ObjectId(0x7fffffff, TERM);
    }

    private static void opTime(BsonWriter out, String field, long time) {
        out.startDocument(field)
                .put("ts", new Value.Timestamp(time))
                .put("t", TERM)
                .end();
    }

    private static Value.Date date(long clusterTime) {
        return new Value.Date((clusterTime >>> 32) * 1000);
    }

    @Override
    public void status(BsonWriter reply) {
        long newest = transactions.visibleTime();
        long durable = transactions.durableTime();
        reply.put("set", name)
                .put("date", new Value.Date(clock.millis()))
                .put("myState", PRIMARY)
                .put("term", TERM)
                .put("syncSourceHost", "")
                .put("syncSourceId", -1)
                .put("heartbeatIntervalMillis", 2000L)
                .put("majorityVoteCount", 1)
                .put("writeMajorityCount", 1)
                .put("votingMembersCount", 1)
                .put("writableVotingMembersCount", 1)
                .startDocument("optimes");
        opTime(reply, "lastCommittedOpTime", durable);
        reply.put("lastCommittedWallTime", date(durable));
        opTime(reply, "readConcernMajorityOpTime", durable);
        opTime(reply, "appliedOpTime", newest);
        opTime(reply, "durableOpTime", durable);
        reply.put("lastAppliedWallTime", date(newest))
                .put("lastDurableWallTime", date(durable))
                .end();
        reply.startArray("members").startDocument();
        reply.put("_id", 0)
                .put("name", address)
                .put("health", 1.0)
                .put("state", PRIMARY)
                .put("stateStr", "PRIMARY")
                .put("uptime", clock.instant().getEpochSecond() - elected.getEpochSecond());
        opTime(reply, "optime", newest);
        reply.put("optimeDate", date(newest))
                .put("syncSourceHost", "")
                .put("syncSourceId", -1)
                .put("infoMessage", "")
                .put("electionTime", new Value.Timestamp(elected.getEpochSecond() << 32 | 1))
                .put("electionDate", new Value.Date(elected.toEpochMilli()))
                .put("configVersion", 1)
                .put("configTerm", TERM)
                .put("self", true)
                .put("lastHeartbeatMessage", "")
                .end()
                .end();
    }

    @Override
    public void configuration(BsonWriter reply) {
        reply.startDocument("config")
                .put("_id", name)
                .put("version", 1)
                .put("term", TERM)
                .startArray("members")
                .startDocument()
                .put("_id", 0)
                .put("host", address)
                .put("arbiterOnly", false)
                .put("buildIndexes", true)
                .put("hidden", false)
                .put("priority", 1)
                .startDocument("tags")
                .end()
                .put("secondaryDelaySecs", 0L)
                .put("votes", 1)
                .end()
                .end()
                .put("protocolVersion", 1L)
                .put("writeConcernMajorityJournalDefault", true)
                .startDocument("settings")
                .put("chainingAllowed", true)
                .put("heartbeatIntervalMillis", 2000)
                .put("heartbeatTimeoutSecs", 10)
                .put("electionTimeoutMillis", 10000)
                .end()
                .end();
    }
}
