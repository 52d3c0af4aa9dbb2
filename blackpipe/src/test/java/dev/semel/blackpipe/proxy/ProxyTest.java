package dev.semel.blackpipe.proxy;

import static dev.semel.blackpipe.message.Match.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.message.Match;
import dev.semel.blackpipe.script.Pending;
import dev.semel.blackpipe.script.ScriptedReplicaSet;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults between the official driver and a real server; the data, read without the proxy, says what happened. */
@SuppressWarnings("NullAway.Init") // every test begins with through()
class ProxyTest {
    private static final Match UPDATE = command("update").on("db.c");

    private static Server server;
    private static MongoClient direct;
    private Proxy proxy;
    private MongoClient client;
    private final List<Observation> seen = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void serve() throws IOException {
        server = Server.start(ServerOptions.memory());
        direct = MongoClients.create(server.connectionString());
    }

    @AfterAll
    static void end() {
        direct.close();
        server.close();
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        proxy.close();
        direct.getDatabase("db").drop();
    }

    private void through(String options, Rule... rules) throws IOException {
        proxy = Proxy.start(server.connectionString(), Plan.of(rules));
        proxy.observe(each -> {
            if (!each.request().isHello()) {
                seen.add(each);
            }
        });
        client = MongoClients.create(proxy.uri() + options);
    }

    private void increment() {
        collection(client)
                .updateOne(
                        new Document("_id", 1),
                        new Document("$inc", new Document("n", 1)),
                        new com.mongodb.client.model.UpdateOptions().upsert(true));
    }

    private static MongoCollection<Document> collection(MongoClient from) {
        return from.getDatabase("db").getCollection("c");
    }

    private static int count() {
        Document found = collection(direct).find(new Document("_id", 1)).first();
        return found == null ? 0 : found.getInteger("n");
    }

    private Stream<String> faults() {
        return seen.stream().filter(each -> UPDATE.test(each.request())).map(Observation::fault);
    }

    @Test
    void driverStaysBehindTheProxy() throws IOException {
        through("");
        increment();
        assertThat(count()).isEqualTo(1);
        assertThat(seen).extracting(each -> each.request().name()).contains("update");
        assertThat(client.getClusterDescription().getServerDescriptions())
                .allSatisfy(each ->
                        assertThat(proxy.uri()).contains(each.getAddress().toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"snappy", "zlib"})
    void compressedRequestsAreUnderstood(String compressor) throws IOException {
        through("&retryWrites=false&compressors=" + compressor, Rule.of(UPDATE, Phase.AFTER_APPLY, new Action.Close()));
        assertThatThrownBy(this::increment).isInstanceOf(MongoException.class);
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void closedBeforeTheServerSawItHasNotHappened() throws IOException {
        through("&retryWrites=false", Rule.of(UPDATE, Phase.BEFORE, new Action.Close()));
        assertThatThrownBy(this::increment).isInstanceOf(MongoException.class);
        assertThat(count()).isZero();
    }

    @Test
    void halfARequestHasNotHappened() throws IOException {
        through(
                "&retryWrites=false",
                Rule.of(UPDATE, Phase.WITHIN, new Action.Reset()).atByte(20));
        assertThatThrownBy(this::increment).isInstanceOf(MongoException.class);
        assertThat(count()).isZero();
    }

    @Test
    void closedAfterTheServerAnsweredHasHappened() throws IOException {
        through("&retryWrites=false", Rule.of(UPDATE, Phase.AFTER_APPLY, new Action.Reset()));
        assertThatThrownBy(this::increment).isInstanceOf(MongoException.class);
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void retryableWriteWhoseAnswerIsLostHappensOnce() throws IOException {
        through("", Rule.of(UPDATE, Phase.AFTER_APPLY, new Action.Close()));
        increment();
        assertThat(count()).isEqualTo(1);
        assertThat(faults()).containsExactly("afterApply: close", "");
    }

    @Test
    void deliveredTwiceARetryableWriteHappensOnceAndAnotherTwice() throws IOException {
        through("", Rule.of(UPDATE, Phase.DUPLICATE, new Action.None()));
        increment();
        assertThat(collection(client).find().first()).isNotNull();
        assertThat(count()).isEqualTo(1);
        stop();
        through("&retryWrites=false", Rule.of(UPDATE, Phase.DUPLICATE, new Action.None()));
        increment();
        assertThat(collection(client).find().first()).isNotNull();
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void errorTakesThePlaceOfTheAnswer() throws IOException {
        through("", Rule.of(UPDATE, Phase.BEFORE, new Action.ErrorReply(121, "no", List.of("L"))));
        assertThatThrownBy(this::increment)
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getErrorLabels()).containsExactly("L"));
        assertThat(count()).isZero();
    }

    /** The driver's monitor waits for news for up to ten seconds, and the server itself has none. */
    @ParameterizedTest
    @ValueSource(ints = {91, 11600})
    void errorOfAServerThatEndsEndsTheWaitForNews(int code) throws IOException {
        var error = new Action.ErrorReply(code, "going away", List.of("RetryableWriteError"));
        through(
                "&serverSelectionTimeoutMS=5000",
                Rule.of(UPDATE, Phase.BEFORE, error).nth(2));
        increment();
        increment();
        assertThat(count()).isEqualTo(2);
        assertThat(faults()).containsExactly("", "before: error " + code, "");
    }

    @Test
    void onlyTheNthMatchGetsTheFault() throws IOException {
        through("", Rule.of(UPDATE, Phase.BEFORE, new Action.Close()).nth(2));
        increment();
        increment();
        assertThat(faults()).containsExactly("", "before: close", "");
        assertThat(proxy.plan().status()).extracting(Plan.RuleStatus::matched).containsExactly(3L);
    }

    @Test
    void delayComesLater() throws IOException {
        through("", Rule.of(UPDATE, Phase.AFTER_APPLY, new Action.Delay(30)));
        increment();
        assertThat(seen.stream().filter(each -> UPDATE.test(each.request())))
                .singleElement()
                .satisfies(each -> assertThat(each.micros()).isGreaterThanOrEqualTo(30_000));
    }

    @Test
    void stalledRequestEndsWithTheClientsPatience() throws IOException {
        through(
                "&retryWrites=false&socketTimeoutMS=200",
                Rule.of(UPDATE, Phase.BEFORE, new Action.Stall(Action.FOREVER)));
        assertThatThrownBy(this::increment).isInstanceOf(MongoException.class);
        assertThat(count()).isZero();
    }

    @Test
    void outageEndsConnectionsAndAcceptsNone() throws IOException {
        through("&serverSelectionTimeoutMS=300", Rule.of(UPDATE, Phase.BEFORE, new Action.Outage(Action.FOREVER)));
        assertThatThrownBy(this::increment).isInstanceOf(MongoException.class);
        assertThat(count()).isZero();
        proxy.endOutage();
        increment();
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void writeFindsThePrimaryAgainAfterAStepDown() throws IOException {
        through("&heartbeatFrequencyMS=500", Rule.of(UPDATE, Phase.BEFORE, new Action.StepDown(200)));
        increment();
        assertThat(count()).isEqualTo(1);
        assertThat(faults()).contains("before: stepdown 200 ms");
    }

    @Test
    void everyMemberOfASetGetsAnEndpoint() throws IOException {
        try (var set = ScriptedReplicaSet.start(3)) {
            proxy = Proxy.start("mongodb://" + set.member(1).address(), Plan.of());
            client = MongoClients.create(proxy.uri() + "?replicaSet=rs0");
            var inserted = Pending.of(() -> collection(client).insertOne(new Document()));
            set.member(0).receives(command("insert")).reply("{\"ok\": 1, \"n\": 1}");
            inserted.result();
            assertThat(client.getClusterDescription().getServerDescriptions())
                    .hasSize(3)
                    .noneMatch(each -> set.uri().contains(each.getAddress().toString()));
        }
    }

    @Test
    void targetThatIsNotThereIsNamed() throws IOException {
        through("");
        assertThatThrownBy(() -> Proxy.start("mongodb://127.0.0.1:1", Plan.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot reach 127.0.0.1:1: ");
    }
}
