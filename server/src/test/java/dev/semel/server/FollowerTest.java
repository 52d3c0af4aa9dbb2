package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.command.CommandTable;
import dev.semel.server.command.Spec;
import dev.semel.server.statement.Unquoted;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node does, and what it leaves alone, while it applies what another one has written. */
class FollowerTest {
    private static final int NOT_PRIMARY = 10107;
    private static final int HISTORY_LOST = 286;
    private static final int NO_SUCH_TRANSACTION = 251;
    private static final int NOT_PRIMARY_NO_SECONDARY_OK = 13435;
    private static final long SECONDS_MAX = 20;

    private final RecordingNode recording = new RecordingNode();
    private final FollowingNode following = new FollowingNode();
    private Server primary;
    private Server follower;
    private LocalConnection a;
    private LocalConnection b;

    @BeforeEach
    void start() throws IOException {
        ServerOptions options =
                ServerOptions.memory().inProcess().parameters(Map.of("ttlMonitorSleepSecs", "1", "oplogSizeMB", "1"));
        primary = Server.start(options, new Foundation(null, recording));
        follower = Server.start(options, new Foundation(null, following));
        a = primary.connect();
        b = follower.connect();
    }

    @AfterEach
    void stop() {
        a.close();
        b.close();
        primary.close();
        follower.close();
    }

    private static RawDocument command(String text) {
        return new BsonWriter()
                .copyAll(Unquoted.document(text))
                .put("$readPreference", NodePicture.ANY_MEMBER)
                .put("$db", text.contains("oplog.rs") ? "local" : "d")
                .finish();
    }

    private RawDocument onPrimary(String text) {
        RawDocument reply = a.run(command(text));
        assertThat(RandomClient.isOk(reply)).as("%s", reply).isTrue();
        return reply;
    }

    private RawDocument onFollower(String text) {
        return b.run(command(text));
    }

    private void follow() {
        following.feed(recording.records());
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static List<RawDocument> batch(RawDocument reply, String name) {
        return NodePicture.documents(NodePicture.inner(reply, "cursor"), name);
    }

    private static Value.Int64 cursor(RawDocument reply) {
        return (Value.Int64)
                Objects.requireNonNull(NodePicture.inner(reply, "cursor").get("id"));
    }

    @Test
    void commandsThatWriteAreRefusedAndNoOtherWrites() {
        onPrimary("{insert: 'c', documents: [{_id: 1}]}");
        follow();
        for (CommandTable.Entry each : follower.commands().entries()) {
            Spec spec = each.spec();
            // Inside a transaction that only reads a commit is no write.
            if (spec.name().equals("shutdown") || spec.name().equals("beginTransaction")) {
                continue;
            }
            RawDocument reply = b.run(
                    new BsonWriter().put(spec.name(), "c").put("$db", "admin").finish());
            if (spec.is(Spec.Trait.WRITES)) {
                assertThat(reply.get("code")).as(spec.name()).isEqualTo(Value.of(NOT_PRIMARY));
            }
        }
        assertThat(following.attempts()).isZero();
    }

    @Test
    void writesThatAreRefusedDoNotWaitForMembers() {
        onPrimary("{insert: 'c', documents: [{_id: 1}]}");
        follow();
        RawDocument reply = onFollower("{insert: 'c', documents: [{_id: 2}], writeConcern: {w: 3}}");
        assertThat(reply.get("code")).as("%s", reply).isEqualTo(Value.of(NOT_PRIMARY));
        assertThat(reply.get("writeConcernError")).isNull();
    }

    @Test
    void stagesThatWriteAreRefused() {
        onPrimary("{insert: 'c', documents: [{_id: 1}]}");
        follow();
        for (String stage : List.of("{$out: 'o'}", "{$merge: 'c'}")) {
            assertThat(onFollower("{aggregate: 'c', pipeline: [%s], cursor: {}}".formatted(stage))
                            .get("code"))
                    .isEqualTo(Value.of(NOT_PRIMARY));
        }
    }

    /** Whatever the read preference says, and before anything of the transaction is kept here. */
    @Test
    void transactionsAreRefused() {
        onPrimary("{insert: 'c', documents: [{_id: 1}]}");
        follow();
        String first = "lsid: {id: {$uuid: '00000000-0000-4000-8000-000000000002'}}, txnNumber: {$numberLong: '1'},"
                + " startTransaction: true, autocommit: false";
        for (String command : List.of(
                "{find: 'c', %s}",
                "{aggregate: 'c', pipeline: [], cursor: {}, %s}", "{insert: 'c', documents: [{_id: 2}], %s}")) {
            RawDocument reply = onFollower(command.formatted(first));
            assertThat(reply.get("code")).as("%s", reply).isEqualTo(Value.of(NOT_PRIMARY));
            assertThat(reply.get("errorLabels")).asString().as("%s", reply).contains("TransientTransactionError");
        }
        assertThat(following.attempts()).isZero();
    }

    @Test
    void whatListsAsksForAReadPreference() {
        onPrimary("{insert: 'c', documents: [{_id: 1}]}");
        follow();
        for (String text : List.of("{find: 'c'}", "{listCollections: 1}", "{listIndexes: 'c'}", "{listDatabases: 1}")) {
            RawDocument bare = new BsonWriter()
                    .copyAll(Unquoted.document(text))
                    .put("$db", text.contains("Databases") ? "admin" : "d")
                    .finish();
            assertThat(b.run(bare).get("code")).as(text).isEqualTo(Value.of(NOT_PRIMARY_NO_SECONDARY_OK));
            RawDocument asked = new BsonWriter()
                    .copyAll(bare)
                    .put("$readPreference", NodePicture.ANY_MEMBER)
                    .finish();
            assertThat(RandomClient.isOk(b.run(asked))).as(text).isTrue();
        }
    }

    @Test
    void linearizableReadsNeedThePrimary() {
        onPrimary("{insert: 'c', documents: [{_id: 1}]}");
        follow();
        RawDocument reply = onFollower("{find: 'c', readConcern: {level: 'linearizable'}}");
        assertThat(reply.get("code")).as("%s", reply).isEqualTo(Value.of(NOT_PRIMARY));
        assertThat(reply.get("errmsg"))
                .isEqualTo(Value.of("cannot satisfy linearizable read concern on non-primary node"));
        RawDocument bare = b.run(new BsonWriter()
                .copyAll(Unquoted.document("{find: 'c', readConcern: {level: 'linearizable'}}"))
                .put("$db", "d")
                .finish());
        assertThat(bare.get("code")).as("%s", bare).isEqualTo(Value.of(NOT_PRIMARY_NO_SECONDARY_OK));
        onPrimary("{find: 'c', readConcern: {level: 'linearizable'}}");
    }

    /** TokuMX's way, with a session and without one; nothing of it is kept here that could be written. */
    @Test
    void transactionsThatOnlyReadSeeOneMoment() {
        for (String session : List.of("", ", lsid: {id: {$uuid: '00000000-0000-4000-8000-000000000003'}}")) {
            onPrimary("{insert: 'c', documents: [{}]}");
            follow();
            Value before = onFollower("{count: 'c'}").get("n");
            assertThat(RandomClient.isOk(onFollower("{beginTransaction: 1, isolation: 'mvcc'%s}".formatted(session))))
                    .isTrue();
            assertThat(onFollower("{count: 'c'%s}".formatted(session)).get("n")).isEqualTo(before);
            onPrimary("{insert: 'c', documents: [{}]}");
            follow();
            assertThat(onFollower("{count: 'c'%s}".formatted(session)).get("n")).isEqualTo(before);
            assertThat(onFollower("{insert: 'c', documents: [{}]%s}".formatted(session))
                            .get("code"))
                    .isEqualTo(Value.of(NOT_PRIMARY));
            assertThat(onFollower("{count: 'c'%s}".formatted(session)).get("n")).isEqualTo(before);
            String commit = "{commitTransaction: 1, writeConcern: {w: 3}%s}".formatted(session);
            RawDocument committed = onFollower(commit);
            assertThat(committed.get("ok")).as("%s", committed).isEqualTo(Value.of(1.0));
            assertThat(committed.get("writeConcernError")).isNull();
            assertThat(onFollower("{count: 'c'%s}".formatted(session)).get("n")).isNotEqualTo(before);
            RawDocument again = onFollower(commit);
            assertThat(again.get("code")).as("%s", again).isEqualTo(Value.of(NOT_PRIMARY));
            assertThat(again.get("writeConcernError")).isNull();
            onFollower("{beginTransaction: 1%s}".formatted(session));
            assertThat(RandomClient.isOk(onFollower("{rollbackTransaction: 1%s}".formatted(session))))
                    .isTrue();
        }
        assertThat(following.attempts()).isZero();
    }

    @Test
    void transactionsThatReadHereEndWhenThisIsThePrimary() {
        onPrimary("{insert: 'c', documents: [{_id: 1}]}");
        follow();
        String session = "lsid: {id: {$uuid: '00000000-0000-4000-8000-000000000004'}}";
        onFollower("{beginTransaction: 1, %s}".formatted(session));
        following.takeOver();
        RawDocument insert = onFollower("{insert: 'c', documents: [{_id: 2}], %s}".formatted(session));
        assertThat(insert.get("code")).as("%s", insert).isEqualTo(Value.of(NO_SUCH_TRANSACTION));
        RawDocument commit = onFollower("{commitTransaction: 1, %s}".formatted(session));
        assertThat(commit.get("code")).as("%s", commit).isEqualTo(Value.of(NO_SUCH_TRANSACTION));
        assertThat(RandomClient.isOk(onFollower("{insert: 'c', documents: [{_id: 2}], %s}".formatted(session))))
                .isTrue();
    }

    @Test
    void readsAreAnsweredAndWriteNothing() {
        onPrimary("{insert: 'c', documents: [{_id: 1}, {_id: 2}, {_id: 3}]}");
        follow();
        for (String concern : List.of("local", "available", "majority", "snapshot")) {
            RawDocument first = onFollower(
                    "{find: 'c', batchSize: 1, readConcern: {level: '%s'}, lsid: {id: {$uuid: '00000000-0000-4000-8000-000000000001'}}}"
                            .formatted(concern));
            assertThat(batch(first, "firstBatch")).hasSize(1);
            RawDocument next = b.run(new BsonWriter()
                    .put("getMore", cursor(first))
                    .put("collection", "c")
                    .copyAll(Unquoted.document("{lsid: {id: {$uuid: '00000000-0000-4000-8000-000000000001'}}}"))
                    .put("$db", "d")
                    .finish());
            assertThat(batch(next, "nextBatch")).hasSize(2);
        }
        assertThat(onFollower("{count: 'c'}").get("n")).isEqualTo(Value.of(3));
        onFollower("{endSessions: [{id: {$uuid: '00000000-0000-4000-8000-000000000001'}}]}");
        assertThat(following.attempts()).isZero();
    }

    /** Whoever has written with the primary reads that here, however long this node takes. */
    @Test
    void aReadOfALaterTimeWaitsForIt() throws Exception {
        onPrimary("{insert: 'c', documents: [{_id: 1}]}");
        follow();
        Value later = onPrimary("{insert: 'c', documents: [{_id: 2}]}").get("operationTime");
        RawDocument find = new BsonWriter()
                .put("find", "c")
                .startDocument("readConcern")
                .put("afterClusterTime", Objects.requireNonNull(later))
                .end()
                .put("$readPreference", NodePicture.ANY_MEMBER)
                .put("$db", "d")
                .finish();
        RawDocument hurried =
                b.run(new BsonWriter().copyAll(find).put("maxTimeMS", 20).finish());
        assertThat(hurried.get("code")).isEqualTo(Value.of(50));
        FutureTask<RawDocument> read = new FutureTask<>(() -> b.run(find));
        Thread.ofVirtual().start(read);
        follow();
        assertThat(batch(read.get(SECONDS_MAX, TimeUnit.SECONDS), "firstBatch")).hasSize(2);
        assertThat(following.attempts()).isZero();
    }

    @Test
    void cursorsThatTailAreWoken() throws Exception {
        onPrimary("{create: 'log', capped: true, size: 10000}");
        onPrimary("{insert: 'log', documents: [{_id: 1}]}");
        follow();
        for (String open : List.of(
                "{find: 'log', tailable: true, awaitData: true}",
                "{find: 'oplog.rs', filter: {op: 'i'}, tailable: true, awaitData: true}",
                "{aggregate: 'log', pipeline: [{$changeStream: {}}], cursor: {}}")) {
            RawDocument opened = onFollower(open);
            RawDocument getMore = new BsonWriter()
                    .put("getMore", cursor(opened))
                    .put("collection", open.contains("oplog") ? "oplog.rs" : "log")
                    .put("maxTimeMS", 1000 * SECONDS_MAX)
                    .put("$db", open.contains("oplog") ? "local" : "d")
                    .finish();
            FutureTask<RawDocument> waiting = new FutureTask<>(() -> b.run(getMore));
            Thread.ofVirtual().start(waiting);
            onPrimary("{insert: 'log', documents: [{}]}");
            follow();
            assertThat(batch(waiting.get(SECONDS_MAX / 2, TimeUnit.SECONDS), "nextBatch"))
                    .as(open)
                    .hasSize(1);
        }
    }

    @Test
    void cursorsOnWhatIsDroppedEnd() {
        onPrimary("{insert: 'c', documents: [{_id: 1}, {_id: 2}]}");
        follow();
        RawDocument opened = onFollower("{find: 'c', batchSize: 1}");
        onPrimary("{drop: 'c'}");
        follow();
        RawDocument next = b.run(new BsonWriter()
                .put("getMore", cursor(opened))
                .put("collection", "c")
                .put("$db", "d")
                .finish());
        assertThat(next.get("code")).isEqualTo(Value.of(175));
    }

    @Test
    void whatExpiresOrIsTruncatedWithThePrimaryGoesHere() {
        onPrimary("{createIndexes: 'c', indexes: [{key: {t: 1}, name: 't', expireAfterSeconds: 1}]}");
        onPrimary("{insert: 'c', documents: [{_id: 1, t: {$date: '2020-01-01T00:00:00Z'}}, {_id: 2}]}");
        for (int i = 0; i < 40; i++) {
            onPrimary("{insert: 'big', documents: [{x: '%s'}]}".formatted("x".repeat(50_000)));
        }
        follow();
        assertThat(onFollower("{count: 'c'}").get("n")).isNotEqualTo(Value.of(0));
        await(() -> Value.of(1).equals(onPrimary("{count: 'c'}").get("n"))
                && ChangeEvents.after(primary, 1).equals(List.of("error " + Value.of(HISTORY_LOST)))
                && batch(onPrimary("{find: 'oplog.rs', filter: {'o.msg': 'initiating set'}}"), "firstBatch")
                        .isEmpty());
        requireEqual();
        long first = recording.timeOf(2);
        assertThat(ChangeEvents.after(follower, first))
                .isEqualTo(ChangeEvents.after(primary, first))
                .containsExactly("error " + Value.of(HISTORY_LOST));
        assertThat(following.attempts()).isZero();
    }

    private void requireEqual() {
        List<byte[]> records;
        List<String> differences;
        do {
            records = recording.records();
            following.feed(records);
            differences = NodePicture.of(follower, following.transactions())
                    .differences(NodePicture.of(primary, recording.transactions()));
        } while (recording.records().size() > records.size());
        assertThat(differences.stream().limit(5)).isEmpty();
    }

    /** The primary meets the arrays before the index is in its entry; here a plan would rely on their absence. */
    @Test
    void anIndexThatIsBuiltInATransactionIsMultikeyHere() {
        onPrimary("{insert: 'c', documents: [{_id: 1, m: [1, 5]}]}");
        onPrimary("{beginTransaction: 1}");
        onPrimary("{createIndexes: 'c', indexes: [{key: {m: 1}, name: 'm'}]}");
        onPrimary("{commitTransaction: 1}");
        requireEqual();
        assertThat(batch(onFollower("{find: 'c', filter: {m: {$gt: 2, $lt: 4}}}"), "firstBatch"))
                .isEqualTo(batch(onPrimary("{find: 'c', filter: {m: {$gt: 2, $lt: 4}}}"), "firstBatch"))
                .hasSize(1);
    }

    /** So many rows are staged beside other commits there; here they come as one record. */
    @Test
    void aLargeCommitIsApplied() {
        onPrimary("{createIndexes: 'c', indexes: [{key: {k: 1}, name: 'k'}]}");
        BsonWriter insert = new BsonWriter().put("insert", "c").startArray("documents");
        for (int i = 0; i < 17_000; i++) {
            insert.add(new BsonWriter().put("_id", i).put("k", i % 7).finish());
        }
        a.run(insert.end().put("$db", "d").finish());
        follow();
        assertThat(onFollower("{count: 'c'}").get("n")).isEqualTo(Value.of(17_000));
        assertThat(onFollower("{dbHash: 1}").get("md5"))
                .isEqualTo(onPrimary("{dbHash: 1}").get("md5"));
        assertThat(onFollower("{validate: 'c', full: true}").get("valid")).isEqualTo(Value.TRUE);
    }

    /** Wherever the primary ends. */
    @Test
    void indexBuildsThatAnotherPrimaryLeavesAreGone() throws IOException {
        for (int i = 0; i < 2; i++) {
            BsonWriter insert = new BsonWriter().put("insert", "c").startArray("documents");
            for (int j = 0; j < 400; j++) {
                insert.add(new BsonWriter().put("m", j).finish());
            }
            a.run(insert.end().put("$db", "d").finish());
        }
        int before = recording.records().size();
        onPrimary("{createIndexes: 'c', indexes: [{key: {m: 1}, name: 'm'}]}");
        List<byte[]> records = recording.records();
        assertThat(records.size()).isGreaterThan(before + 3);
        for (int end = before + 1; end < records.size(); end++) {
            FollowingNode other = new FollowingNode();
            try (Server server = Server.start(ServerOptions.memory().inProcess(), new Foundation(null, other));
                    LocalConnection connection = server.connect()) {
                other.feed(records.subList(0, end));
                other.takeOver();
                assertThat(batch(connection.run(command("{listIndexes: 'c'}")), "firstBatch"))
                        .hasSize(1);
                assertThat(RandomClient.isOk(
                                connection.run(command("{createIndexes: 'c', indexes: [{key: {m: 1}, name: 'm'},"
                                        + " {key: {k: 1}, name: 'k'}]}"))))
                        .isTrue();
                assertThat(connection
                                .run(command("{validate: 'c', full: true}"))
                                .get("valid"))
                        .isEqualTo(Value.TRUE);
            }
        }
    }
}
