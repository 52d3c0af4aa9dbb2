package dev.semel.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.LocalConnection;
import dev.semel.server.session.SessionId;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A commit of which a primary does not know, when it ceases to be one, whether the set will have it. It is too long to have been applied
 * ahead, so that member goes on with what it has in memory, and may be primary again.
 */
@Timeout(120)
class UnknownOutcomeTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final RawDocument SESSION = SessionId.of(new UUID(1, 2)).toDocument();

    /** More than one entry packs, so that the commit is applied when a majority has it. */
    private static final String LONG = "x".repeat(2 << 20);

    @TempDir
    private Path folder;

    private FaultySet set;

    private int first;
    private int other;

    @BeforeEach
    void start() throws IOException {
        set = new FaultySet(folder, 3, false, Plant.NONE);
        set.awaitPrimary(SOON);
        set.awaitCaughtUp();
        first = set.primary();
        other = (first + 1) % 3;
        set.stop((first + 2) % 3);
    }

    @AfterEach
    void stop() {
        set.close();
    }

    private static BsonWriter in(String command) {
        return new BsonWriter().put(command, 1).put("lsid", SESSION);
    }

    private static BsonWriter numbered(BsonWriter command) {
        return command.put("txnNumber", 1L).put("autocommit", false);
    }

    private static BsonWriter insert() {
        BsonWriter command = new BsonWriter().put("insert", "c").put("lsid", SESSION);
        command.startArray("documents");
        command.startDocument().put("_id", 1).put("text", LONG).end();
        return command.end();
    }

    private static RawDocument to(String database, BsonWriter command) {
        return command.put("$db", database).finish();
    }

    private static RawDocument run(LocalConnection connection, RawDocument command) {
        RawDocument reply = connection.run(command);
        assertThat(reply.get("ok")).as(reply.toString()).isEqualTo(Value.of(1.0));
        return reply;
    }

    /** The primary has the commit in its log and cannot send it, until it has stepped down. */
    private RawDocument runUnheard(LocalConnection connection, RawDocument commit) {
        set.network.cut(set.address(first), set.address(other));
        set.network.cut(set.address(other), set.address(first));
        try {
            return connection.run(commit);
        } finally {
            set.network.heal();
        }
    }

    /** The only one of the two that can be elected: the other one lacks the commit. */
    private void awaitPrimaryAgain() {
        set.awaitPrimary(SOON);
        assertThat(set.primary()).isEqualTo(first);
    }

    @Test
    void aCommitThatTheLogHasIsFoundWhenItIsSentAgain() {
        RawDocument commit = to("admin", numbered(in("commitTransaction")));
        try (LocalConnection connection = set.connect(first)) {
            run(connection, to(FaultySet.DATABASE, numbered(insert()).put("startTransaction", true)));
            assertThat(runUnheard(connection, commit).get("code")).isEqualTo(Value.of(11602));
        }
        awaitPrimaryAgain();
        try (LocalConnection connection = set.connect(first)) {
            run(connection, commit);
            RawDocument further = connection.run(to(FaultySet.DATABASE, numbered(insert())));
            assertThat(further.get("codeName")).isEqualTo(Value.of("TransactionCommitted"));
        }
    }

    /** Not that it was refused, as a member that is not primary refuses it: it has happened. */
    @Test
    void aCommitOfTokuMxsDialectSaysThatItMayHaveHappened() {
        try (LocalConnection connection = set.connect(first)) {
            run(connection, to(FaultySet.DATABASE, in("beginTransaction")));
            run(connection, to(FaultySet.DATABASE, insert()));
            RawDocument reply = runUnheard(connection, to(FaultySet.DATABASE, in("commitTransaction")));
            assertThat(reply.get("code")).as(reply.toString()).isEqualTo(Value.of(11602));
        }
        awaitPrimaryAgain();
        try (LocalConnection connection = set.connect(first)) {
            RawDocument count = run(connection, to(FaultySet.DATABASE, new BsonWriter().put("count", "c")));
            assertThat(count.get("n")).isEqualTo(Value.of(1));
        }
    }
}
