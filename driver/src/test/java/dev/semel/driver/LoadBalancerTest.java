package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.driver.description.TopologyType;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoSecurityException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.error.MongoWaitQueueTimeoutException;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.event.ConnectionPoolEvent.CheckedIn;
import dev.semel.driver.event.ConnectionPoolEvent.CheckedOut;
import dev.semel.driver.event.ConnectionPoolEvent.PoolCleared;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.ServerAddress;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** LBP-1 in part: one address with several servers behind it. Odd connections lead to one of them, even ones to the other. */
class LoadBalancerTest {
    private static final ObjectId ONE = new ObjectId("000000000000000000000001");
    private static final ObjectId OTHER = new ObjectId("000000000000000000000002");
    private static final String OPEN = "{ok: 1, cursor: {id: {$numberLong: '7'}, ns: 'db.c', firstBatch: [{_id: 1}]}}";
    private static final String MORE = "{ok: 1, cursor: {id: {$numberLong: '7'}, ns: 'db.c', nextBatch: [{_id: 2}]}}";
    private static final String LAST = "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.c', nextBatch: [{_id: 2}]}}";
    private static final String DONE = "{ok: 1, n: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.c', firstBatch: []}}";
    private static final String TRANSIENT =
            "{ok: 0, code: 24, errmsg: 'busy', errorLabels: ['TransientTransactionError']}";

    private final List<ConnectionPoolEvent> events = new CopyOnWriteArrayList<>();
    private final List<CommandStartedEvent> commands = new CopyOnWriteArrayList<>();
    private RecordingServer balancer;

    @BeforeEach
    void start() throws IOException {
        balancer = new RecordingServer();
        balancer.helloEach(connection -> RecordingServer.common("msg: 'isdbgrid', logicalSessionTimeoutMinutes: 30,"
                + " isWritablePrimary: true, serviceId: {$oid: '" + (connection % 2 == 1 ? ONE : OTHER) + "'}"));
        answer(null);
    }

    @AfterEach
    void stop() {
        balancer.close();
    }

    /** Cursors stay open until their second batch; this command is answered otherwise. */
    private void answer(@Nullable String command, @Nullable String... answers) {
        var left = new CopyOnWriteArrayList<>(answers);
        balancer.answer((heard, count) -> {
            String name = heard.getFirstKey();
            if (name.equals(command) && !left.isEmpty()) {
                return left.removeFirst();
            }
            return switch (name) {
                case "find" -> OPEN;
                case "getMore" -> LAST;
                default -> DONE;
            };
        });
    }

    private MongoClient open(String options) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString("mongodb://" + options.replaceAll("/.*", "")
                        + balancer.address() + "/?loadBalanced=true" + options.replaceAll("^[^/]*/?", "")))
                .applyToConnectionPoolSettings(pools -> pools.addConnectionPoolListener(events::add))
                .addCommandListener(TestServer.recorder(commands))
                .build());
    }

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("db").getCollection("c");
    }

    private static Document document() {
        return new Document("_id", 1);
    }

    /** Of the commands of this name, in their order. */
    private List<Integer> connections(String name) {
        return balancer.heard().stream()
                .filter(each -> each.command().getFirstKey().equals(name))
                .map(RecordingServer.Heard::connection)
                .toList();
    }

    private long checkedOut() {
        return events.stream().filter(CheckedOut.class::isInstance).count()
                - events.stream().filter(CheckedIn.class::isInstance).count();
    }

    private List<String> cleared() {
        return events.stream()
                .filter(PoolCleared.class::isInstance)
                .map(each -> String.valueOf(((PoolCleared) each).serviceId()))
                .toList();
    }

    @Test
    void itIsNotMonitoredAndEveryConnectionSaysLoadBalanced() {
        try (var client = open("")) {
            assertThat(client.getClusterDescription().type()).isEqualTo(TopologyType.LOAD_BALANCED);
            collection(client).insertOne(document());
            collection(client).insertOne(document());

            assertThat(balancer.connections()).isEqualTo(1);
            assertThat(balancer.hellos())
                    .singleElement()
                    .satisfies(each -> assertThat(each.get("loadBalanced")).isEqualTo(BsonBoolean.TRUE));
            assertThat(balancer.commands("insert"))
                    .extracting(each -> each.get("lsid"))
                    .doesNotContainNull()
                    .containsOnly(balancer.commands("insert").getFirst().get("lsid"));
            assertThat(balancer.commands("insert"))
                    .extracting(each -> each.getInt64("txnNumber").getValue())
                    .containsExactly(1L, 2L);
            assertThat(commands)
                    .extracting(each -> each.connection().serviceId())
                    .containsOnly(ONE);
        }
    }

    @Test
    void serverThatIsNotBalancedIsRefused() {
        balancer.greet(RecordingServer.common("isWritablePrimary: true"));
        try (var client = open("")) {
            assertThatThrownBy(() -> collection(client).insertOne(document()))
                    .isInstanceOf(MongoConfigurationException.class)
                    .hasMessage("Driver attempted to initialize in load balancing mode, but the server does not"
                            + " support this mode");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hosts", "set", "direct"})
    void settingsThatContradictItAreRefused(String with) {
        var builder = MongoClientSettings.builder().applyToClusterSettings(cluster -> {
            cluster.loadBalanced(true);
            switch (with) {
                case "hosts" -> cluster.hosts(List.of(new ServerAddress("a"), new ServerAddress("b")));
                case "set" -> cluster.requiredReplicaSetName("rs");
                default -> cluster.directConnection(true);
            }
        });
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("loadBalanced=true ");
    }

    @Test
    void cursorKeepsItsConnectionUntilItIsDrained() {
        try (var client = open("");
                var cursor = collection(client).find().cursor()) {
            assertThat(checkedOut()).isOne();
            collection(client).insertOne(document());

            assertThat(cursor.next()).isEqualTo(document());
            assertThat(cursor.next()).isEqualTo(new Document("_id", 2));

            assertThat(checkedOut()).isZero();
            assertThat(connections("find")).containsExactly(1);
            assertThat(connections("insert")).containsExactly(2);
            assertThat(connections("getMore")).containsExactly(1);
        }
        assertThat(connections("killCursors")).isEmpty();
    }

    @Test
    void cursorOfOneBatchKeepsNothing() {
        answer("find", DONE);
        try (var client = open("");
                var cursor = collection(client).find().cursor()) {
            assertThat(checkedOut()).isZero();
            assertThat(cursor.hasNext()).isFalse();
        }
    }

    @Test
    void closedCursorIsKilledWhereItLives() {
        try (var client = open("")) {
            try (var cursor = collection(client).find().cursor()) {
                collection(client).insertOne(document());
                assertThat(cursor.available()).isOne();
            }
            assertThat(connections("killCursors")).containsExactly(1);
            assertThat(checkedOut()).isZero();
        }
    }

    @Test
    void networkErrorUnpinsTheConnectionWithoutKillCursors() {
        answer("getMore", MORE, null);
        try (var client = open("")) {
            try (var cursor = collection(client).find().cursor()) {
                cursor.next();
                cursor.next();
                assertThatThrownBy(cursor::next).isInstanceOf(MongoSocketException.class);
                assertThat(checkedOut()).isZero();
            }
            assertThat(connections("killCursors")).isEmpty();
            assertThat(cleared()).containsExactly(ONE.toHexString());
        }
    }

    @Test
    void otherErrorKeepsTheConnectionForTheKill() {
        answer("getMore", "{ok: 0, code: 7, errmsg: 'lost'}");
        try (var client = open("")) {
            try (var cursor = collection(client).find().cursor()) {
                cursor.next();
                assertThatThrownBy(cursor::next).isInstanceOf(MongoCommandException.class);
                assertThat(checkedOut()).isOne();
            }
            assertThat(connections("killCursors")).containsExactly(1);
            assertThat(checkedOut()).isZero();
        }
    }

    @Test
    void changeStreamKeepsItsConnection() {
        answer("aggregate", OPEN.replace("{_id: 1}", ""));
        try (var client = open("")) {
            try (var stream = collection(client).watch().cursor()) {
                assertThat(stream.available()).isZero();
                assertThat(checkedOut()).isOne();
            }
            assertThat(checkedOut()).isZero();
        }
    }

    @Test
    void transactionStaysOnItsConnectionUntilTheNextBegins() {
        try (var client = open("");
                var session = client.startSession()) {
            session.startTransaction();
            collection(client).insertOne(session, document());
            collection(client).insertOne(document());
            collection(client).insertOne(session, document());
            session.commitTransaction();
            session.commitTransaction();
            assertThat(checkedOut()).isOne();
            assertThat(connections("insert")).containsExactly(1, 2, 1);
            assertThat(connections("commitTransaction")).containsExactly(1, 1);

            session.startTransaction();
            assertThat(checkedOut()).isZero();
            collection(client).insertOne(session, document());
            session.commitTransaction();
            assertThat(checkedOut()).isOne();

            collection(client).insertOne(session, document());
            assertThat(checkedOut()).isZero();
        }
    }

    @Test
    void endOfTheSessionEndsTheUseOfTheConnection() {
        try (var client = open("")) {
            try (var session = client.startSession()) {
                session.startTransaction();
                collection(client).insertOne(session, document());
                session.commitTransaction();
                assertThat(checkedOut()).isOne();
            }
            assertThat(checkedOut()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {DONE, "{ok: 0, code: 51, errmsg: 'no'}", TRANSIENT})
    void abortEndsTheUseOfTheConnectionHoweverItGoes(String reply) {
        answer("abortTransaction", reply);
        try (var client = open("");
                var session = client.startSession()) {
            session.startTransaction();
            collection(client).insertOne(session, document());
            session.abortTransaction();
            assertThat(checkedOut()).isZero();
        }
    }

    @Test
    void transactionThatIsLostLeavesItsConnection() {
        answer("insert", DONE, TRANSIENT);
        try (var client = open("");
                var session = client.startSession()) {
            session.startTransaction();
            collection(client).insertOne(session, document());
            assertThatThrownBy(() -> collection(client).insertOne(session, document()))
                    .isInstanceOf(MongoCommandException.class);
            assertThat(checkedOut()).isZero();
            session.abortTransaction();
            assertThat(checkedOut()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"insert", "commitTransaction"})
    void transactionThatMayGoOnKeepsItsConnection(String command) {
        answer(command, "{ok: 0, code: 51, errmsg: 'no'}");
        try (var client = open("");
                var session = client.startSession()) {
            session.startTransaction();
            assertThatThrownBy(() -> {
                        collection(client).insertOne(session, document());
                        session.commitTransaction();
                    })
                    .isInstanceOf(MongoCommandException.class);
            assertThat(checkedOut()).isOne();
        }
    }

    @Test
    void commitIsRepeatedOnAnotherConnectionWhenItsOwnIsLost() {
        answer("commitTransaction", (String) null);
        try (var client = open("");
                var session = client.startSession()) {
            session.startTransaction();
            collection(client).insertOne(session, document());
            session.commitTransaction();
            assertThat(connections("commitTransaction")).containsExactly(1, 2);
            assertThat(checkedOut()).isZero();
        }
    }

    @Test
    void transactionAndCursorShareOneConnection() {
        try (var client = open("");
                var session = client.startSession()) {
            session.startTransaction();
            collection(client).insertOne(session, document());
            var cursor = collection(client).find(session).cursor();
            assertThat(checkedOut()).isOne();
            cursor.close();
            assertThat(checkedOut()).isOne();
            session.abortTransaction();
            assertThat(checkedOut()).isZero();
            assertThat(balancer.connections()).isEqualTo(1);
        }
    }

    @Test
    void failureOfOneServerLeavesConnectionsToTheOthers() {
        answer("insert", "{ok: 0, code: 11600, errmsg: 'bye'}");
        try (var client = open("/&retryWrites=false")) {
            var first = collection(client).find().cursor();
            var second = collection(client).find().cursor();
            second.close();
            first.close();

            assertThatThrownBy(() -> collection(client).insertOne(document()))
                    .isInstanceOf(MongoCommandException.class);
            assertThat(cleared()).containsExactly(ONE.toHexString());
            collection(client).insertOne(document());

            assertThat(connections("insert")).containsExactly(1, 2);
            assertThat(balancer.connections()).isEqualTo(2);
        }
    }

    @Test
    void secondFailureOfTheSameServerSaysNothingNew() {
        answer("getMore", null, null);
        try (var client = open("")) {
            var cursors = List.of(
                    collection(client).find().cursor(),
                    collection(client).find().cursor(),
                    collection(client).find().cursor());
            for (var each : List.of(cursors.get(0), cursors.get(2))) {
                each.next();
                assertThatThrownBy(each::next).isInstanceOf(MongoSocketException.class);
            }
            assertThat(cleared()).containsExactly(ONE.toHexString());
            cursors.get(1).close();
        }
    }

    @Test
    void failureBeforeTheHelloClearsNoPool() {
        balancer.greet("{ok: 0, code: 91, errmsg: 'bye'}");
        try (var client = open("")) {
            assertThatThrownBy(() -> collection(client).insertOne(document())).isInstanceOf(MongoException.class);
            assertThat(cleared()).isEmpty();
        }
    }

    @Test
    void failureToAuthenticateConcernsTheServerItWasTriedOn() {
        answer("saslStart", "{ok: 0, code: 18, errmsg: 'no'}");
        try (var client = open("user:word@/&authMechanism=SCRAM-SHA-256")) {
            assertThatThrownBy(() -> collection(client).insertOne(document()))
                    .isInstanceOf(MongoSecurityException.class);
            assertThat(cleared()).containsExactly(ONE.toHexString());
        }
    }

    @ParameterizedTest
    @CsvSource({"false, 1, 0", "true, 0, 1"})
    void timeoutOfACheckOutListsWhatConnectionsAreUsedFor(boolean inTransaction, int cursors, int transactions) {
        try (var client = open("/&maxPoolSize=1&waitQueueTimeoutMS=5");
                var session = client.startSession()) {
            if (inTransaction) {
                session.startTransaction();
                collection(client).insertOne(session, document());
            } else {
                assertThat(collection(client).find(session).cursor().available())
                        .isOne();
            }
            var failure = catchThrowableOfType(
                    MongoWaitQueueTimeoutException.class,
                    () -> collection(client).insertOne(document()));
            assertThat(failure)
                    .hasMessageEndingWith("maxPoolSize: 1, connections in use by cursors: " + cursors
                            + ", connections in use by transactions: " + transactions
                            + ", connections in use by other operations: 0");
        }
    }

    @Test
    void readPreferenceIsSentThroughTheLoadBalancer() {
        answer("find", DONE);
        try (var client = open("/&readPreference=secondaryPreferred")) {
            collection(client).find().first();
            BsonDocument find = balancer.commands("find").getFirst();
            assertThat(find.getDocument("$readPreference").getString("mode").getValue())
                    .isEqualTo("secondaryPreferred");
        }
    }
}
