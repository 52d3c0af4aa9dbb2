package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fail point {@code cutMembers}. */
@Timeout(120)
class CutMembersTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static Document admin(Cluster cluster, int member, Document command) {
        String address = Objects.requireNonNull(cluster.member(member)).address();
        try (MongoClient direct = MongoClients.create("mongodb://" + address + "/?directConnection=true")) {
            return direct.getDatabase("admin").runCommand(command, ReadPreference.nearest());
        }
    }

    private static void cut(Cluster cluster, int member, List<String> others) {
        admin(
                cluster,
                member,
                new Document("configureFailPoint", "cutMembers")
                        .append("mode", others.isEmpty() ? "off" : "alwaysOn")
                        .append("data", new Document("members", others)));
    }

    /** What a primary that is cut off says while it is given another configuration, until it steps down. */
    private static Set<Integer> versionsTold(Cluster cluster, int primary) throws Exception {
        Set<Integer> versions = new HashSet<>();
        String address = Objects.requireNonNull(cluster.member(primary)).address();
        try (MongoClient direct = MongoClients.create("mongodb://" + address + "/?directConnection=true")) {
            MongoDatabase admin = direct.getDatabase("admin");
            FutureTask<Void> change = new FutureTask<>(() -> {
                reconfigure(cluster, primary);
                return null;
            });
            Thread.ofVirtual().start(change);
            while (!change.isDone()) {
                versions.add(admin.runCommand(new Document("hello", 1)).getInteger("setVersion"));
                LockSupport.parkNanos(1_000_000);
            }
            assertThatThrownBy(change::get).hasMessageContaining("this member is not the primary any more");
        }
        return versions;
    }

    private static void reconfigure(Cluster cluster, int member) {
        Document config = admin(cluster, member, new Document("replSetGetConfig", 1))
                .get("config", Document.class)
                .append("version", 2);
        admin(cluster, member, new Document("replSetReconfig", config));
    }

    private static String state(Cluster cluster, int asked, String of) {
        return admin(cluster, asked, new Document("replSetGetStatus", 1)).getList("members", Document.class).stream()
                .filter(each -> of.equals(each.getString("name")))
                .map(each -> each.getString("stateStr"))
                .findAny()
                .orElseThrow();
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    /**
     * It opens its server again if it had applied something ahead; the link stays cut. Nobody has heard of a configuration that
     * it alone had: a driver would take later primaries without it for older ones.
     */
    @Test
    void primaryThatIsCutOffIsReplacedAndFollowsAfterwards() throws Exception {
        try (Cluster cluster = Cluster.start(3);
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            int primary = cluster.awaitPrimary(SOON);
            int next = (primary + 1) % 3;
            int last = (primary + 2) % 3;
            String address = Objects.requireNonNull(cluster.member(primary)).address();
            List<String> others = List.of(
                    Objects.requireNonNull(cluster.member(next)).address(),
                    Objects.requireNonNull(cluster.member(last)).address());
            cut(cluster, next, List.of(address));
            cut(cluster, last, List.of(address));
            cut(cluster, primary, others);
            assertThat(versionsTold(cluster, primary)).containsExactly(1);
            var documents = client.getDatabase("test").getCollection("documents");

            documents.insertOne(new Document("_id", 1));

            assertThat(cluster.awaitPrimary(SOON)).isNotEqualTo(primary);
            await(
                    "the old primary knows",
                    () -> !Objects.requireNonNull(cluster.running(primary)).isWritablePrimary());
            assertThat(state(cluster, next, address)).isEqualTo("(not reachable/healthy)");
            assertThat(state(cluster, primary, others.getFirst())).isEqualTo("(not reachable/healthy)");
            for (int each : List.of(primary, next, last)) {
                cut(cluster, each, List.of());
            }
            await("it follows", () -> state(cluster, next, address).equals("SECONDARY"));
            try (MongoClient direct = MongoClients.create("mongodb://" + address + "/?directConnection=true")) {
                var copy = direct.getDatabase("test")
                        .getCollection("documents")
                        .withReadPreference(ReadPreference.nearest());
                await("the document is here", () -> copy.countDocuments() == 1);
            }
        }
    }
}
