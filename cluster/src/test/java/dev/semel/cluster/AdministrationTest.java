package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.semel.server.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code replSet...} commands on a set of three. */
@Timeout(120)
class AdministrationTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start(3);
    }

    /** Each test begins with three members of equal rights. */
    @BeforeEach
    void makeEqual() throws Exception {
        int primary = cluster.awaitPrimary(SOON);
        for (int i = 0; i < cluster.size(); i++) {
            if (i != primary) {
                admin(i, new Document("replSetFreeze", 0));
            }
        }
        Document config = config(primary);
        for (Document each : members(config)) {
            each.append("priority", 1)
                    .append("votes", 1)
                    .append("hidden", false)
                    .append("secondaryDelaySecs", 0L);
        }
        if (!config.equals(config(primary))) {
            reconfigure(config);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    private static Document admin(int member, Document command) {
        Server server = Objects.requireNonNull(cluster.member(member));
        try (MongoClient direct = MongoClients.create("mongodb://" + server.address() + "/?directConnection=true")) {
            return direct.getDatabase("admin").runCommand(command, ReadPreference.nearest());
        }
    }

    private static Document config(int member) {
        return admin(member, new Document("replSetGetConfig", 1)).get("config", Document.class);
    }

    private static List<Document> members(Document config) {
        return config.getList("members", Document.class);
    }

    /** Members keep their numbers for life; their order in the document changes when one is added again. */
    private static Document member(Document config, int member) {
        return members(config).stream()
                .filter(each -> each.getInteger("_id") == member)
                .findAny()
                .orElseThrow();
    }

    private static Document hello(int member) {
        return admin(member, new Document("hello", 1));
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void awaitSame(int primary) {
        for (int i = 0; i < cluster.size(); i++) {
            int member = i;
            await("what the primary has", () -> Objects.equals(lastWrite(member), lastWrite(primary)));
        }
    }

    /** Null as long as it is no member, as far as it knows. */
    private static @Nullable BsonTimestamp lastWrite(int member) {
        return hello(member).getEmbedded(List.of("lastWrite", "opTime", "ts"), BsonTimestamp.class);
    }

    /** While a member reads its log again after a start it passes configurations that it was not in. */
    private static boolean isSecondary(int member, int version) {
        Document hello = hello(member);
        return hello.getBoolean("secondary") && Objects.equals(hello.get("setVersion"), version);
    }

    private static Document next(Document config) {
        return config.append("version", config.getInteger("version") + 1);
    }

    private static void reconfigure(Document config) throws Exception {
        admin(cluster.awaitPrimary(SOON), new Document("replSetReconfig", next(config)));
    }

    @Test
    void configurationReachesAllMembersAndTheirClients() throws Exception {
        try (MongoClient client = MongoClients.create(cluster.connectionString())) {
            int primary = cluster.awaitPrimary(SOON);
            int other = (primary + 1) % 3;
            Document config = config(primary);
            int version = config.getInteger("version");
            assertThat(members(config))
                    .extracting(each -> each.getInteger("_id"))
                    .containsExactlyInAnyOrder(0, 1, 2);
            member(config, primary).append("tags", new Document("place", "east"));
            member(config, other)
                    .append("priority", 0)
                    .append("hidden", true)
                    .append("tags", new Document("place", "west"));
            config.get("settings", Document.class)
                    .append("getLastErrorModes", new Document("both", new Document("place", 2)));
            reconfigure(config);

            await("the version", () -> hello(primary).getInteger("setVersion") > version);
            Document seen = hello(primary);
            assertThat(seen.getInteger("setVersion")).isEqualTo(version + 1);
            assertThat(seen.getList("hosts", String.class)).hasSize(2);
            assertThat(seen).doesNotContainKey("passives");
            assertThat(seen.get("tags")).isEqualTo(new Document("place", "east"));
            await("the hidden member", () -> hello(other).containsKey("hidden"));
            assertThat(hello(other).getBoolean("passive")).isTrue();
            await("the stored document", () -> config(other).getInteger("version") > version);
            assertThat(client.getDatabase("local")
                            .getCollection("system.replset")
                            .find()
                            .first())
                    .isEqualTo(config(primary));

            client.getDatabase("test")
                    .getCollection("c")
                    .withWriteConcern(new WriteConcern("both"))
                    .insertOne(new Document());
            assertThatThrownBy(() -> client.getDatabase("test")
                            .getCollection("c")
                            .withWriteConcern(new WriteConcern("none"))
                            .insertOne(new Document()))
                    .hasMessageContaining("No write concern mode named 'none'");

            member(config, other).append("priority", 1).append("hidden", false);
            reconfigure(config);
            await(
                    "the member that is not hidden any more",
                    () -> hello(primary).getList("hosts", String.class).size() == 3);
        }
    }

    /** It has arrived where a later configuration is known, and nobody sees it there. */
    @Test
    void aDelayedMemberShowsWritesLaterAndKnowsTheConfigurationAtOnce() throws Exception {
        try (MongoClient client = MongoClients.create(cluster.connectionString())) {
            int primary = cluster.awaitPrimary(SOON);
            int delayed = (primary + 1) % 3;
            var documents = client.getDatabase("test").getCollection("delayed");
            documents.insertOne(new Document("_id", 1));
            Document config = config(primary);
            member(config, delayed).append("priority", 0).append("hidden", true).append("secondaryDelaySecs", 3600);
            reconfigure(config);
            await("the delay", () -> Integer.valueOf(3600).equals(hello(delayed).get("secondaryDelaySecs")));
            documents.withWriteConcern(WriteConcern.MAJORITY).insertOne(new Document("_id", 2));
            assertThatThrownBy(() ->
                            documents.withWriteConcern(new WriteConcern(3, 100)).insertOne(new Document("_id", 3)))
                    .hasMessageContaining("timed out");

            int version = config(primary).getInteger("version");
            reconfigure(config(primary));
            await("a configuration behind them", () -> isSecondary(delayed, version + 1));
            assertThat(countAt(delayed)).isEqualTo(1);
            cluster.stop(delayed);
            cluster.restart(delayed);
            await("the member with what it has held", () -> isSecondary(delayed, version + 1));
            assertThat(countAt(delayed)).isEqualTo(1);

            Document now = config(primary);
            member(now, delayed).append("priority", 1).append("hidden", false).append("secondaryDelaySecs", 0);
            reconfigure(now);
            await("all documents", () -> countAt(delayed) == 3);
        }
    }

    /** A client may have it from another set, or from a write that failed. */
    @Test
    void aReadAfterATimeThatNoWriteHasReachedDoesNotWaitForOne() throws Exception {
        int primary = cluster.awaitPrimary(SOON);
        for (int member = 0; member < 3; member++) {
            BsonTimestamp later =
                    new BsonTimestamp(Objects.requireNonNull(lastWrite(primary)).getTime() + 5, 1);
            Document found = admin(
                    member,
                    new Document("find", "nothing")
                            .append("readConcern", new Document("afterClusterTime", later))
                            .append("maxTimeMS", 30_000));
            assertThat(found.get("operationTime", BsonTimestamp.class)).isGreaterThanOrEqualTo(later);
        }
    }

    private static long countAt(int member) {
        try (MongoClient direct = MongoClients.create(
                "mongodb://" + Objects.requireNonNull(cluster.member(member)).address()
                        + "/?directConnection=true&readPreference=secondaryPreferred")) {
            return direct.getDatabase("test").getCollection("delayed").countDocuments();
        }
    }

    @Test
    void configurationThatCannotBeIsRefused() throws Exception {
        int primary = cluster.awaitPrimary(SOON);
        Document config = config(primary);
        assertRefused(primary, config, 103, "must be greater than old, but");
        member(next(config), primary).append("priority", 0);
        assertRefused(primary, config, 103, "is not electable under the new configuration");
        member(config, primary).append("priority", 1).append("votes", 2);
        assertRefused(primary, config, 93, "votes field value is 2 but must be 0 or 1");
        member(config, primary).append("votes", 1).append("secondaryDelaySecs", 1);
        assertRefused(primary, config, 93, "priority must be 0 when secondaryDelaySecs is used");
        member(config, primary).append("priority", 0).append("secondaryDelaySecs", -1);
        assertRefused(primary, config, 93, "secondaryDelaySecs field value of -1 seconds is out of range");
        member(config, primary).append("priority", 1);
        member(config, primary).append("secondaryDelaySecs", 0);
        config.get("settings", Document.class).append("getLastErrorModes", new Document());
        List<Document> more = new ArrayList<>(members(config));
        more.add(new Document("_id", 9).append("host", "127.0.0.1:1"));
        assertRefused(
                primary,
                new Document(config).append("members", more),
                74,
                "Quorum check failed because not all new members responded; the following nodes did not respond"
                        + " affirmatively: 127.0.0.1:1 failed with");
        config.append("members", List.of(member(config, primary)));
        assertRefused(primary, config, 103, "can only add or remove at most 1 voting member");
        config.append("members", List.of());
        assertRefused(primary, config, 103, "contains 0 members");
        assertRefused((primary + 1) % 3, next(config), 10107, "should only be run on a writable PRIMARY");
        assertThatThrownBy(() -> admin(primary, new Document("replSetInitiate", new Document())))
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(23));
    }

    private static void assertRefused(int member, Document config, int code, String message) {
        assertThatThrownBy(() -> admin(member, new Document("replSetReconfig", config)))
                .hasMessageContaining(message)
                .satisfies(e ->
                        assertThat(((com.mongodb.MongoException) e).getCode()).isEqualTo(code));
    }

    @Test
    void primaryStepsDownAndComesBackWhenItsPriorityIsHighest() throws Exception {
        int primary = cluster.awaitPrimary(SOON);
        admin(primary, new Document("replSetStepDown", 60).append("secondaryCatchUpPeriodSecs", 10));
        int second = cluster.awaitPrimary(SOON);
        assertThat(second).isNotEqualTo(primary);
        assertThatThrownBy(() -> admin(primary, new Document("replSetStepDown", 60)))
                .hasMessageContaining("not primary so can't step down");

        Document config = config(second);
        member(config, primary).append("priority", 5);
        reconfigure(config);
        // It is frozen as long as it has promised.
        admin(primary, new Document("replSetFreeze", 0));
        await("the member with the highest priority", () -> hello(primary).getBoolean("isWritablePrimary"));
    }

    /** The others may not be primary for a while. Until one may, this one is. */
    @Test
    void aPrimaryWhoseSuccessorsHaveSteppedDownStaysUntilOneMayTakeOver() throws Exception {
        Document stepDown = new Document("replSetStepDown", 600).append("secondaryCatchUpPeriodSecs", 60);
        int first = cluster.awaitPrimary(SOON);
        admin(first, stepDown);
        int second = cluster.awaitPrimary(SOON);
        admin(second, stepDown);
        int third = cluster.awaitPrimary(SOON);
        assertThat(Set.of(first, second, third)).hasSize(3);
        assertThatThrownBy(() -> admin(third, new Document(stepDown).append("secondaryCatchUpPeriodSecs", 1)))
                .hasMessageContaining("No electable secondaries caught up")
                .hasMessageContaining(hello(first).getString("me"))
                .hasMessageContaining(hello(second).getString("me"));
        assertThat(hello(third).getBoolean("isWritablePrimary")).isTrue();

        CompletableFuture<Document> waiting = CompletableFuture.supplyAsync(() -> admin(third, stepDown));
        admin(second, new Document("replSetFreeze", 0));
        assertThat(waiting.get()).containsEntry("ok", 1.0);
        assertThat(cluster.awaitPrimary(SOON)).isEqualTo(second);
    }

    /** As long as another member takes it for frozen, it does not step down in its favour. */
    @Test
    void othersLearnOfTheEndOfAFreeze() throws Exception {
        int other = (cluster.awaitPrimary(SOON) + 1) % 3;
        admin(other, new Document("replSetFreeze", 1));
        assertThat(hello(other)).containsEntry("frozen", true);
        await("the end of the freeze", () -> !hello(other).containsKey("frozen"));
    }

    @Test
    void memberStandsForElectionWhenAsked() throws Exception {
        int primary = cluster.awaitPrimary(SOON);
        int other = (primary + 1) % 3;
        // Nothing is under way any more that the next primary might not have.
        awaitSame(primary);
        admin(other, new Document("replSetStepUp", 1));
        assertThat(hello(other).getBoolean("isWritablePrimary")).isTrue();
        await("the end of the old primary", () -> hello(primary).getBoolean("secondary"));

        admin(primary, new Document("replSetMaintenance", true));
        assertThat(hello(primary).getBoolean("secondary")).isFalse();
        assertThatThrownBy(() -> admin(primary, new Document("find", "c")))
                .isInstanceOf(com.mongodb.MongoNodeIsRecoveringException.class);
        admin(primary, new Document("replSetMaintenance", false));
        assertThat(hello(primary).getBoolean("secondary")).isTrue();

        Document status = admin(primary, new Document("replSetGetStatus", 1));
        assertThat(status.getList("members", Document.class))
                .extracting(each -> each.getString("stateStr"))
                .containsExactlyInAnyOrder("PRIMARY", "SECONDARY", "SECONDARY");
        int third = 3 - primary - other;
        cluster.stop(third);
        assertThat(admin(primary, new Document("replSetGetStatus", 1)).getList("members", Document.class))
                .filteredOn(each -> each.getDouble("health") == 0)
                .singleElement()
                .satisfies(each -> assertThat(each.getString("stateStr")).isEqualTo("(not reachable/healthy)"));
        cluster.restart(third);
    }

    @Test
    void memberIsRemovedAndAddedAgain() throws Exception {
        int primary = cluster.awaitPrimary(SOON);
        int removed = (primary + 1) % 3;
        Document config = config(primary);
        Document member = member(config, removed);
        config.append(
                "members",
                members(config).stream().filter(each -> !each.equals(member)).toList());
        reconfigure(config);
        await("the end of membership", () -> hello(removed).containsKey("isreplicaset"));
        assertThat(hello(removed)).doesNotContainKey("setName");

        cluster.stop(removed);
        cluster.restart(removed);
        List<Document> all = new ArrayList<>(members(config));
        all.add(member);
        config.append("members", all);
        reconfigure(config);
        await("membership", () -> hello(removed).getBoolean("secondary"));
        awaitSame(cluster.awaitPrimary(SOON));
    }

    @Test
    void memberWithoutVoteFollows() throws Exception {
        int primary = cluster.awaitPrimary(SOON);
        int other = (primary + 1) % 3;
        Document config = config(primary);
        member(config, other).append("priority", 0).append("votes", 0);
        reconfigure(config);
        await("the configuration", () -> hello(other).getInteger("setVersion") == (int) config.getInteger("version"));
        insert("withoutVote", 3);
        await("the write", () -> found(other, "withoutVote") == 1);
        Document status = admin(primary, new Document("replSetGetStatus", 1));
        assertThat(status)
                .containsEntry("votingMembersCount", 2)
                .containsEntry("majorityVoteCount", 2)
                .containsEntry("writeMajorityCount", 2);
        assertThatThrownBy(() -> admin(other, new Document("replSetStepUp", 1)))
                .hasMessageContaining("Election failed.");
    }

    private static void insert(String collection, int members) {
        try (MongoClient client = MongoClients.create(cluster.connectionString())) {
            client.getDatabase("test")
                    .getCollection(collection)
                    .withWriteConcern(new WriteConcern(members))
                    .insertOne(new Document());
        }
    }

    private static long found(int member, String collection) {
        Server server = Objects.requireNonNull(cluster.member(member));
        try (MongoClient direct = MongoClients.create("mongodb://" + server.address() + "/?directConnection=true")) {
            return direct.getDatabase("test")
                    .getCollection(collection)
                    .withReadPreference(ReadPreference.nearest())
                    .countDocuments();
        }
    }
}
