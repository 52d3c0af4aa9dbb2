package dev.semel.server.replica;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.Value;

/** How far a member is, as clients are told of it. */
public record OpTime(long clusterTime, long term) {
    public void writeTo(BsonWriter out, String field) {
        out.startDocument(field)
                .put("ts", new Value.Timestamp(clusterTime))
                .put("t", term)
                .end();
    }

    /** In whole seconds. */
    public Value.Date date() {
        return new Value.Date((clusterTime >>> 32) * 1000);
    }

    /** The {@code lastWrite} of {@code hello}. */
    public static void writeLast(BsonWriter hello, OpTime newest, OpTime durable) {
        hello.startDocument("lastWrite");
        newest.writeTo(hello, "opTime");
        hello.put("lastWriteDate", newest.date());
        durable.writeTo(hello, "majorityOpTime");
        hello.put("majorityWriteDate", durable.date()).end();
    }

    /** The {@code optimes} of {@code replSetGetStatus}. */
    public static void writeAll(BsonWriter status, OpTime newest, OpTime durable) {
        status.startDocument("optimes");
        durable.writeTo(status, "lastCommittedOpTime");
        status.put("lastCommittedWallTime", durable.date());
        durable.writeTo(status, "readConcernMajorityOpTime");
        newest.writeTo(status, "appliedOpTime");
        durable.writeTo(status, "durableOpTime");
        status.put("lastAppliedWallTime", newest.date())
                .put("lastDurableWallTime", durable.date())
                .end();
    }

    /** As MongoDB makes it of a term, so that a later term compares higher. */
    public static Value.Oid electionId(long term) {
        return new Value.Oid(new ObjectId(0x7fffffff, term));
    }
}
