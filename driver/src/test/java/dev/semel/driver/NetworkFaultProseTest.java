package dev.semel.driver;

import static dev.semel.blackpipe.message.Match.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.message.Match;
import dev.semel.blackpipe.proxy.Observation;
import dev.semel.blackpipe.proxy.Proxy;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.description.TopologyType;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The prose tests of the drivers' specifications that need a faulty network, against a real server behind the proxy. */
@SuppressWarnings("NullAway.Init") // every test begins with through()
class NetworkFaultProseTest {
    private static final Match INSERT = command("insert").on("db.c");

    private static Server server;
    private final List<ClusterEvent> topology = new CopyOnWriteArrayList<>();
    private final List<ConnectionPoolEvent> pool = new CopyOnWriteArrayList<>();
    private final List<Observation> seen = new CopyOnWriteArrayList<>();
    private Proxy proxy;
    private MongoClient client;

    @BeforeAll
    static void serve() throws IOException {
        server = Server.start(ServerOptions.memory());
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @AfterEach
    void stop() throws IOException {
        client.getDatabase("db").drop();
        client.close();
        proxy.close();
    }

    private MongoCollection<Document> through(String options, Rule... rules) throws IOException {
        proxy = Proxy.start(server.connectionString(), Plan.of(rules));
        proxy.observe(seen::add);
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(proxy.uri() + options))
                .applyToClusterSettings(builder -> builder.addClusterListener(topology::add))
                .applyToConnectionPoolSettings(builder -> builder.addConnectionPoolListener(pool::add))
                .build());
        return client.getDatabase("db").getCollection("c");
    }

    private boolean isPoolCleared() {
        return pool.stream().anyMatch(ConnectionPoolEvent.PoolCleared.class::isInstance);
    }

    /** SDAMP-2. */
    @Test
    void errorOfTheNetworkOnWriteLosesThePrimary() throws IOException {
        var collection = through("&retryWrites=false", Rule.of(INSERT, Phase.BEFORE, new Action.Close()));

        assertThatThrownBy(() -> collection.insertOne(new Document())).isInstanceOf(MongoSocketException.class);

        assertThat(topology)
                .filteredOn(ClusterEvent.ServerDescriptionChanged.class::isInstance)
                .map(ClusterEvent.ServerDescriptionChanged.class::cast)
                .anyMatch(each -> each.previous().type() == ServerType.RS_PRIMARY
                        && each.current().type() == ServerType.UNKNOWN);
        assertThat(topology)
                .filteredOn(ClusterEvent.TopologyDescriptionChanged.class::isInstance)
                .map(ClusterEvent.TopologyDescriptionChanged.class::cast)
                .anyMatch(each -> each.previous().type() == TopologyType.REPLICA_SET_WITH_PRIMARY
                        && each.current().type() == TopologyType.REPLICA_SET_NO_PRIMARY);
        assertThat(isPoolCleared()).isTrue();
        collection.insertOne(new Document());
        assertThat(collection.countDocuments()).isEqualTo(1);
    }

    /** STEP-2, STEP-3 and STEP-4. */
    @ParameterizedTest
    @CsvSource({"10107, false", "91, true", "11600, true"})
    void onlyServerThatShutsDownLosesItsPool(int code, boolean loses) throws IOException {
        var error = new Action.ErrorReply(code, "as the plan says", List.of());
        var collection = through("&retryWrites=false", Rule.of(INSERT, Phase.BEFORE, error));

        assertThatThrownBy(() -> collection.insertOne(new Document()))
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(code));

        collection.insertOne(new Document());
        assertThat(isPoolCleared()).isEqualTo(loses);
        assertThat(collection.countDocuments()).isEqualTo(1);
    }

    /** RWP-1. */
    @Test
    void refusalOfTransactionNumbersComesWithAdvice() throws IOException {
        var refusal = new Action.ErrorReply(20, "Transaction numbers are only allowed on a replica set", List.of());
        var collection = through("", Rule.of(INSERT, Phase.BEFORE, refusal));

        assertThatThrownBy(() -> collection.insertOne(new Document()))
                .hasMessageContaining("retryWrites=false")
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(20));
    }

    /** CSP-3. */
    @Test
    void changeStreamGoesOnOnceBehindTheLastChange() throws IOException {
        var collection = through(
                "",
                Rule.of(command("getMore"), Phase.AFTER_APPLY, new Action.Close())
                        .nth(2));
        try (var changes = collection.watch().cursor()) {
            collection.insertOne(new Document("_id", 1));
            assertThat(changes.next().getFullDocument()).isEqualTo(new Document("_id", 1));
            collection.insertOne(new Document("_id", 2));
            assertThat(changes.next().getFullDocument()).isEqualTo(new Document("_id", 2));
        }

        var opened = seen.stream()
                .filter(each -> each.request().name().equals("aggregate"))
                .toList();
        assertThat(opened).hasSize(2);
        assertThat(opened.getFirst().request().get("pipeline.0.$changeStream.resumeAfter"))
                .isNull();
        assertThat(opened.getLast().request().get("pipeline.0.$changeStream.resumeAfter"))
                .isNotNull();
    }
}
