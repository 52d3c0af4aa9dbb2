package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Indexes;
import dev.semel.server.ServerOptions;
import dev.semel.server.replica.SetConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A set of one becomes one of several, with its data; servers that cannot belong to it are refused. */
@Timeout(120)
class ExpansionTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int DOCUMENTS = 500;

    @TempDir
    private Path folder;

    private List<String> addresses;
    private final Member[] members = new Member[3];

    @BeforeEach
    void addresses() throws IOException {
        addresses = Cluster.freeAddresses(members.length);
    }

    @AfterEach
    void stop() {
        for (Member each : members) {
            if (each != null) {
                each.close();
            }
        }
    }

    private void start(int member, @Nullable String set) throws IOException {
        members[member] = start(member, member, set);
    }

    private Member start(int member, int data, @Nullable String set) throws IOException {
        Path own = folder.resolve("data" + data);
        ServerOptions options = ServerOptions.directory(own).port(SetOptions.port(addresses.get(member)));
        return Member.start(
                set == null ? options.standalone() : options.replicaSet(set),
                own.resolve(SetOptions.FOLDER),
                null,
                true);
    }

    private MongoClient direct(int member) {
        return MongoClients.create("mongodb://" + addresses.get(member) + "/?directConnection=true");
    }

    private Document admin(int member, Document command) {
        try (MongoClient client = direct(member)) {
            return client.getDatabase("admin").runCommand(command, ReadPreference.nearest());
        }
    }

    private static Document member(int id, String host) {
        return new Document("_id", id).append("host", host);
    }

    /** The server may be closed before its answer is out: then it is repeated, and finds the member there. */
    private void add(int id, String host) {
        int primary = IntStream.range(0, id)
                .filter(each -> admin(each, new Document("hello", 1)).getBoolean("isWritablePrimary"))
                .findAny()
                .orElseThrow(() -> new MongoException("no primary"));
        Document config = admin(primary, new Document("replSetGetConfig", 1)).get("config", Document.class);
        List<Document> all = config.getList("members", Document.class);
        if (all.stream().anyMatch(each -> each.getString("host").equals(host))) {
            return;
        }
        all.add(member(id, host));
        admin(primary, new Document("replSetReconfig", config.append("version", config.getInteger("version") + 1)));
    }

    /** While a server is opened again, it does not answer. */
    private void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!holds(condition)) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static boolean holds(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (MongoException e) {
            return false;
        }
    }

    /** It has the data and knows the primary, which may be another one than before, since a set of two needs both. */
    private void awaitMember(int member) {
        await("a member with data", () -> {
            Document hello = admin(member, new Document("hello", 1));
            return hello.containsKey("primary")
                    && hello.getList("hosts", String.class).contains(addresses.get(member))
                    && (hello.getBoolean("secondary") || hello.getBoolean("isWritablePrimary"));
        });
    }

    private void fill(int member) {
        try (MongoClient client = direct(member)) {
            MongoCollection<Document> items = client.getDatabase("test").getCollection("items");
            items.insertMany(IntStream.range(0, DOCUMENTS)
                    .mapToObj(i -> new Document("_id", i).append("n", i % 7))
                    .toList());
            items.createIndex(Indexes.ascending("n"));
        }
    }

    private String hash(int member) {
        try (MongoClient client = direct(member)) {
            return client.getDatabase("test")
                    .runCommand(new Document("dbHash", 1), ReadPreference.nearest())
                    .getString("md5");
        }
    }

    @Test
    @Tag("slow")
    void oneMemberBecomesThreeWithItsDataAndAllFindTheirSetAfterARestart() throws Exception {
        start(0, null);
        fill(0);
        members[0].close();
        start(0, "rs0");
        admin(0, new Document("replSetInitiate", new Document()));
        Object id = admin(0, new Document("hello", 1)).get("replicaSetId");
        assertThat(id).isInstanceOf(ObjectId.class);
        for (int i = 1; i < 3; i++) {
            start(i, "rs0");
            int added = i;
            await("a primary", () -> {
                add(added, addresses.get(added));
                return true;
            });
            awaitMember(i);
        }
        String uri = "mongodb://" + String.join(",", addresses) + "/?replicaSet=rs0";
        try (MongoClient client = MongoClients.create(uri)) {
            MongoCollection<Document> items =
                    client.getDatabase("test").getCollection("items").withWriteConcern(new WriteConcern(3));
            items.insertOne(new Document("_id", "later"));
            for (int i = 0; i < 3; i++) {
                int other = i;
                await("the same data", () -> hash(other).equals(hash(0)));
                assertThat(admin(i, new Document("hello", 1)).get("replicaSetId"))
                        .isEqualTo(id);
            }
            for (int i = 0; i < 3; i++) {
                members[i].close();
            }
            for (int i = 0; i < 3; i++) {
                start(i, "rs0");
            }
            items.insertOne(new Document("_id", "last"));
            assertThat(items.countDocuments()).isEqualTo(DOCUMENTS + 2);
            assertThat(admin(0, new Document("hello", 1)).getList("hosts", String.class))
                    .isEqualTo(addresses);
        }
    }

    /** As the first example of the documentation does it; a majority of the members is new. */
    @Test
    void oneMemberBecomesThreeAtOnce() throws Exception {
        for (int i = 0; i < 3; i++) {
            start(i, "rs0");
        }
        fill(0);
        admin(0, new Document("replSetInitiate", config(addresses.get(1), addresses.get(2))));
        for (int i = 0; i < 3; i++) {
            awaitMember(i);
        }
        String uri = "mongodb://" + String.join(",", addresses) + "/?replicaSet=rs0";
        try (MongoClient client = MongoClients.create(uri)) {
            MongoCollection<Document> items = client.getDatabase("test").getCollection("items");
            items.withWriteConcern(new WriteConcern(3)).insertOne(new Document("_id", "later"));
            // Two of three elect another.
            int primary = IntStream.range(0, 3)
                    .filter(each -> admin(each, new Document("hello", 1)).getBoolean("isWritablePrimary"))
                    .findAny()
                    .orElseThrow();
            members[primary].close();
            items.insertOne(new Document("_id", "last"));
            assertThat(items.countDocuments()).isEqualTo(DOCUMENTS + 2);
        }
    }

    /** Otherwise the set would stay as small as it is until the last of its members runs. */
    @Test
    void memberThatDoesNotRunKeepsNoOtherOut() throws Exception {
        for (int i = 0; i < 3; i++) {
            start(i, "rs0");
        }
        // It answers when it is asked, and is gone when it is to get the data.
        admin(0, new Document("replSetInitiate", config(addresses.get(1), addresses.get(2))));
        members[1].close();
        awaitMember(2);
        start(1, "rs0");
        for (int i = 0; i < 3; i++) {
            awaitMember(i);
        }
    }

    private void assertRefused(int code, String why, Document config) {
        assertThatThrownBy(() -> admin(0, new Document("replSetInitiate", config)))
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(code))
                .hasMessageContaining(why);
    }

    private Document config(String... others) {
        List<Document> all = new ArrayList<>(List.of(member(0, addresses.get(0))));
        for (String each : others) {
            all.add(member(all.size(), each));
        }
        return new Document("_id", "rs0").append("members", all);
    }

    @Test
    void serverThatCannotBelongToTheSetIsRefused() throws Exception {
        start(0, "rs0");
        assertRefused(74, addresses.get(1) + " failed with", config(addresses.get(1)));
        assertRefused(74, "replSetInitiate quorum check failed because", config(addresses.get(1)));
        start(1, "other");
        assertRefused(103, "was started with --replSet other, and this set is rs0", config(addresses.get(1)));
        members[1].close();
        start(1, "rs0");
        fill(1);
        assertRefused(103, "has data of its own, the database 'test'", config(addresses.get(1)));
        admin(1, new Document("replSetInitiate", new Document()));
        assertRefused(103, "Our replica set ID did not match", config(addresses.get(1)));
        assertRefused(103, "are both the same node", config("localhost:" + SetOptions.port(addresses.get(0))));
        start(2, null);
        assertRefused(103, "belongs to no replica set", config(addresses.get(2)));
        // Nothing has changed.
        assertThat(admin(0, new Document("hello", 1))).doesNotContainKey("replicaSetId");
        assertThat(admin(1, new Document("hello", 1)).getBoolean("isWritablePrimary"))
                .isTrue();
    }

    private void makeTwo() throws IOException {
        start(0, "rs0");
        start(1, "rs0");
        admin(0, new Document("replSetInitiate", config(addresses.get(1))));
        awaitMember(0);
        awaitMember(1);
    }

    /** It has the set's ID, and writes for itself: a majority of two sets would be two majorities. */
    @Test
    void copyOfASetOfOneIsRefused() throws Exception {
        start(0, "rs0");
        fill(0);
        admin(0, new Document("replSetInitiate", new Document()));
        members[0].close();
        copy(folder.resolve("data0"), folder.resolve("data1"));
        start(0, "rs0");
        start(1, "rs0");
        Document config = admin(0, new Document("replSetGetConfig", 1)).get("config", Document.class);
        config.getList("members", Document.class).add(member(1, addresses.get(1)));
        assertThatThrownBy(() -> admin(0, new Document("replSetReconfig", config.append("version", 2))))
                .hasMessageContaining(addresses.get(1) + " has data of this set, as a copy of a member's has");
        assertThat(admin(0, new Document("hello", 1)).getList("hosts", String.class))
                .containsExactly(addresses.get(0));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path each : (Iterable<Path>) files::iterator) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
    }

    @Test
    void dataOfAMemberWithoutItsLogIsRefused() throws Exception {
        makeTwo();
        members[1].close();
        try (Stream<Path> log = Files.walk(folder.resolve("data1").resolve(SetOptions.FOLDER))) {
            for (Path each : log.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
        assertThatThrownBy(() -> start(1, "rs0"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the data belongs to a member of the replica set 'rs0' with the members "
                        + addresses.get(0) + ", " + addresses.get(1));
    }

    /** Otherwise whoever corrects the configuration finds that the others belong to a set which does not exist. */
    @Test
    void noMemberIsTakenByAConfigurationThatIsRefused() throws Exception {
        for (int i = 0; i < 3; i++) {
            start(i, "rs0");
        }
        fill(2);
        assertRefused(103, "has data of its own, the database 'test'", config(addresses.get(1), addresses.get(2)));
        assertThat(admin(1, new Document("hello", 1)).getBoolean("isWritablePrimary"))
                .isTrue();
        admin(0, new Document("replSetInitiate", config(addresses.get(1))));
        awaitMember(0);
        awaitMember(1);
    }

    /** As when the network fails after one of several was told. */
    @Test
    void memberThatWasToldBeforeIsTakenByTheNextAttempt() throws Exception {
        start(0, "rs0");
        start(1, "rs0");
        ObjectId id = new ObjectId();
        new Invitation(Invitation.FORMAT, "rs0", id.toHexString(), addresses.get(1), addresses.get(0), false)
                .send(null, SOON);
        await(
                "a member without a configuration",
                () -> id.equals(admin(1, new Document("hello", 1)).getObjectId("replicaSetId")));
        invite(id, addresses.get(1));
        assertThatThrownBy(() -> invite(new ObjectId(), addresses.get(1)))
                .hasMessageContaining("Our replica set ID did not match");
        assertThatThrownBy(() -> invite(id, "localhost:" + SetOptions.port(addresses.get(1))))
                .hasMessageContaining("was told before that it belongs to this set as " + addresses.get(1));
    }

    private void invite(ObjectId id, String other) {
        SetConfig next = SetConfig.initial("rs0", List.of(addresses.get(0), other), 1000)
                .with(dev.semel.wire.bson.ObjectId.parse(id.toHexString()));
        new NewMembers(addresses.get(0), id.toHexString(), new MemberClient(null), null).invite(next, null);
    }

    @Test
    void portWithoutOneForMembersBehindItIsRefused() throws Exception {
        start(0, "rs0");
        assertRefused(103, "127.0.0.1:64536: the port of a member is 1 to 64535", config("127.0.0.1:64536"));
        assertRefused(93, "host '127.0.0.1:65536' has no possible port", config("127.0.0.1:65536"));
        assertRefused(103, "127.0.0.1:0: the port of a member is 1 to 64535", config("127.0.0.1:0"));
    }

    @Test
    void folderOfAnotherMemberOrAnotherSetIsRefused() throws Exception {
        makeTwo();
        members[1].close();
        assertThatThrownBy(() -> start(1, "rs1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to a member of the replica set 'rs0', and --replSet says 'rs1'");
        assertThatThrownBy(() -> start(2, 1, "rs0"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to the member " + addresses.get(1));
        assertThatThrownBy(() -> start(1, null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("start it with --replSet rs0");
        start(1, "rs0");
        awaitMember(1);
    }
}
