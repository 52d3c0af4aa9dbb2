package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.description.TopologyType;
import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoSecurityException;
import dev.semel.driver.error.MongoSocketReadTimeoutException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.error.MongoWaitQueueTimeoutException;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.UriOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each option of a connection string does what it is for, as a server sees it, or is refused by its name. No experiment
 * succeeds with the default in the place of its value.
 */
@Timeout(25)
class OptionEffectsTest {
    private static final String FOUND = "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.c', firstBatch: []}}";
    private static final String BUSY = "{ok: 0, code: 462, errmsg: 'busy', baseBackoffMS: 1,"
            + " errorLabels: ['RetryableError', 'SystemOverloadedError']}";
    private static final String SOON = "&serverMonitoringMode=poll&heartbeatFrequencyMS=500";

    /** Fails if the option does not do what it is for. */
    private interface Experiment {
        void run() throws Exception;
    }

    private interface Work extends Consumer<MongoCollection<Document>> {}

    @ParameterizedTest
    @EnumSource
    void eachDoesWhatItIsForOrIsRefused(UriOption option) throws Exception {
        experiment(option).run();
    }

    private static Experiment experiment(UriOption option) {
        return switch (option) {
            case APP_NAME -> introduces("appname=shop", "client.application.name", "'shop'");
            case AUTH_MECHANISM -> authenticates("authMechanism=SCRAM-SHA-256", "mechanism", "'SCRAM-SHA-256'");
            case AUTH_MECHANISM_PROPERTIES -> refuses("ann:secret@", "authMechanismProperties=A:b");
            case AUTH_SOURCE -> authenticates("authSource=other", "$db", "'other'");
            case COMPRESSORS -> introduces("compressors=zlib", "compression", "['zlib']");
            case CONNECT_TIMEOUT_MS -> OptionEffectsTest::looksUpForAMoment;
            case DIRECT_CONNECTION -> describes("directConnection=true", TopologyType.SINGLE);
            case ENABLE_OVERLOAD_RETARGETING -> OptionEffectsTest::asksTheOtherMember;
            case HEARTBEAT_FREQUENCY_MS -> OptionEffectsTest::awaitsNews;
            case JOURNAL -> sends("journal=true", OptionEffectsTest::insert, "writeConcern.j", "true");
            case LOAD_BALANCED -> OptionEffectsTest::saysThatItIsBehindALoadBalancer;
            case LOCAL_THRESHOLD_MS -> OptionEffectsTest::usesASlowRouterToo;
            case MAX_ADAPTIVE_RETRIES -> attempts("maxAdaptiveRetries=4", OptionEffectsTest::insert, BUSY, 5);
            case MAX_CONNECTING -> OptionEffectsTest::connectsThreeAtATime;
            case MAX_IDLE_TIME_MS -> reconnects("maxIdleTimeMS=1");
            case MAX_LIFE_TIME_MS -> reconnects("maxLifeTimeMS=1");
            case MAX_POOL_SIZE, WAIT_QUEUE_TIMEOUT_MS -> OptionEffectsTest::waitsForTheOnlyConnection;
            case MAX_STALENESS_SECONDS ->
                routes(
                        "readPreference=secondary&maxStalenessSeconds=120",
                        "maxStalenessSeconds",
                        "{$numberLong: '120'}");
            case MIN_POOL_SIZE -> OptionEffectsTest::connectsInAdvance;
            case PROXY_HOST, PROXY_PORT -> goesThrough("", "");
            case PROXY_USERNAME, PROXY_PASSWORD -> goesThrough("ann:secret", "&proxyUsername=ann&proxyPassword=secret");
            case READ_CONCERN_LEVEL ->
                sends("readConcernLevel=majority", OptionEffectsTest::find, "readConcern.level", "'majority'");
            case READ_PREFERENCE -> routes("readPreference=nearest", "mode", "'nearest'");
            case READ_PREFERENCE_TAGS ->
                routes("readPreference=secondary&readPreferenceTags=dc:ny", "tags", "[{dc: 'ny'}]");
            case REPLICA_SET -> OptionEffectsTest::insistsOnTheSet;
            case RETRY_READS -> attempts("retryReads=false", OptionEffectsTest::find, null, 1);
            case RETRY_WRITES -> attempts("retryWrites=false", OptionEffectsTest::insert, null, 1);
            case SERVER_MONITORING_MODE -> OptionEffectsTest::polls;
            case SERVER_SELECTION_TIMEOUT_MS -> OptionEffectsTest::givesUpSoon;
            case SERVER_SELECTION_TRY_ONCE -> refuses("", "serverSelectionTryOnce=true");
            case SOCKET_TIMEOUT_MS -> OptionEffectsTest::waitsForRepliesForAMoment;
            case SRV_MAX_HOSTS -> OptionEffectsTest::takesOneOfTheSeeds;
            case SRV_SERVICE_NAME -> OptionEffectsTest::looksForTheService;
            case SSL -> encrypts("ssl=true");
            case TIMEOUT_MS -> OptionEffectsTest::limitsTheServer;
            case TLS -> encrypts("tls=true");
            case TLS_ALLOW_INVALID_CERTIFICATES,
                    TLS_ALLOW_INVALID_HOSTNAMES,
                    TLS_CA_FILE,
                    TLS_CERTIFICATE_KEY_FILE,
                    TLS_CERTIFICATE_KEY_FILE_PASSWORD,
                    TLS_INSECURE -> () -> assertThat(TlsOptionsTest.OPTIONS).contains(option);
            case TLS_DISABLE_CERTIFICATE_REVOCATION_CHECK ->
                refuses("", "tls=true&tlsDisableCertificateRevocationCheck=false");
            case TLS_DISABLE_OCSP_ENDPOINT_CHECK -> refuses("", "tls=true&tlsDisableOCSPEndpointCheck=false");
            case UUID_REPRESENTATION ->
                sends(
                        "uuidRepresentation=standard",
                        collection -> collection.insertOne(new Document("_id", new UUID(0, 1))),
                        "documents.0._id",
                        "{$uuid: '00000000-0000-0000-0000-000000000001'}");
            case W -> sends("w=majority", OptionEffectsTest::insert, "writeConcern.w", "'majority'");
            case W_TIMEOUT_MS ->
                sends("wTimeoutMS=7", OptionEffectsTest::insert, "writeConcern.wtimeout", "{$numberLong: '7'}");
            case ZLIB_COMPRESSION_LEVEL ->
                () -> assertThat(CompressionLevelTest.markWith("&zlibCompressionLevel=9"))
                        .isEqualTo(0xDA);
        };
    }

    private static void insert(MongoCollection<Document> collection) {
        collection.insertOne(new Document("_id", 1));
    }

    private static void find(MongoCollection<Document> collection) {
        collection.find().first();
    }

    // ---- what a server sees

    private static String uri(RecordingServer server, String options) {
        return "mongodb://" + server.address() + "/?" + options;
    }

    private static RecordingServer primary() throws IOException {
        return answering(RecordingServer.primary());
    }

    private static RecordingServer router() throws IOException {
        return answering(RecordingServer.router());
    }

    private static RecordingServer answering(RecordingServer server) {
        server.answer((command, count) -> command.getFirstKey().equals("find") ? FOUND : "{ok: 1, n: 1}");
        return server;
    }

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("db").getCollection("c");
    }

    /** The value at a dotted path; null of BSON if there is none. */
    private static BsonValue at(BsonDocument document, String path) {
        BsonValue at = document;
        for (String name : path.split("\\.", -1)) {
            at = at.isArray()
                    ? at.asArray().get(Integer.parseInt(name))
                    : at.asDocument().get(name, BsonNull.VALUE);
        }
        return at;
    }

    private static BsonValue value(String json) {
        return BsonDocument.parse("{v: " + json + "}").get("v", BsonNull.VALUE);
    }

    private static Experiment introduces(String options, String path, String value) {
        return () -> {
            try (var server = primary();
                    MongoClient client = MongoClients.create(uri(server, options))) {
                insert(collection(client));
                assertThat(server.hellos())
                        .filteredOn(each -> each.containsKey("client"))
                        .isNotEmpty()
                        .allSatisfy(each -> assertThat(at(each, path)).isEqualTo(value(value)));
            }
        };
    }

    private static Experiment sends(String options, Work work, String path, String value) {
        return sends(OptionEffectsTest::primary, options, work, path, value);
    }

    private static Experiment routes(String options, String path, String value) {
        return sends(OptionEffectsTest::router, options, OptionEffectsTest::find, "$readPreference." + path, value);
    }

    private interface Start {
        RecordingServer server() throws IOException;
    }

    private static Experiment sends(Start start, String options, Work work, String path, String value) {
        return () -> {
            try (var server = start.server();
                    MongoClient client = MongoClients.create(uri(server, options))) {
                work.accept(collection(client));
                assertThat(at(server.heard().getFirst().command(), path)).isEqualTo(value(value));
            }
        };
    }

    private static Experiment authenticates(String options, String path, String value) {
        return () -> {
            try (var server = RecordingServer.primary()) {
                server.answer((command, count) -> "{ok: 0, code: 18, errmsg: 'no'}");
                String uri = uri(server, options).replace("//", "//ann:secret@");
                try (MongoClient client = MongoClients.create(uri)) {
                    assertThatThrownBy(() -> insert(collection(client))).isInstanceOf(MongoSecurityException.class);
                }
                assertThat(server.commands("saslStart"))
                        .isNotEmpty()
                        .allSatisfy(each -> assertThat(at(each, path)).isEqualTo(value(value)));
            }
        };
    }

    private static Experiment refuses(String user, String options) {
        String name = options.substring(options.lastIndexOf('&') + 1, options.lastIndexOf('='));
        return () -> assertThatThrownBy(() -> MongoClients.create("mongodb://" + user + "localhost/?" + options))
                .isInstanceOf(MongoConfigurationException.class)
                .hasMessageContaining(name);
    }

    private static Experiment describes(String options, TopologyType type) {
        return () -> {
            try (var server = primary();
                    MongoClient client = MongoClients.create(uri(server, options))) {
                insert(collection(client));
                assertThat(client.getClusterDescription().type()).isEqualTo(type);
            }
        };
    }

    /** All replies are errors; null hangs up. */
    private static Experiment attempts(String options, Work work, @Nullable String reply, int count) {
        return () -> {
            try (var server = RecordingServer.primary();
                    MongoClient client = MongoClients.create(uri(server, options + SOON))) {
                server.answer((command, before) -> reply);
                assertThatThrownBy(() -> work.accept(collection(client))).isInstanceOf(MongoException.class);
                assertThat(server.heard()).hasSize(count);
            }
        };
    }

    private static Experiment reconnects(String options) {
        return () -> {
            try (var server = primary();
                    MongoClient client = MongoClients.create(uri(server, options))) {
                Await.until(() -> {
                    insert(collection(client));
                    return server.heard().stream()
                                    .mapToInt(RecordingServer.Heard::connection)
                                    .distinct()
                                    .count()
                            > 2;
                });
            }
        };
    }

    private static Experiment goesThrough(String userAndPassword, String options) {
        return () -> {
            try (var server = router();
                    var proxy = new SocksProxy(userAndPassword.isEmpty() ? null : userAndPassword);
                    MongoClient client = MongoClients.create(
                            "mongodb://server.invalid:" + server.address().port()
                                    + "/?directConnection=true&proxyHost=127.0.0.1&proxyPort=" + proxy.port()
                                    + options)) {
                insert(collection(client));
                assertThat(proxy.asked()).contains("server.invalid");
            }
        };
    }

    private static Experiment encrypts(String options) {
        return () -> {
            try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                    MongoClient client =
                            MongoClients.create("mongodb://127.0.0.1:" + listener.getLocalPort() + "/?" + options);
                    Socket accepted = listener.accept()) {
                assertThat(client.getClusterDescription().servers()).hasSize(1);
                int handshake = 22;
                assertThat(accepted.getInputStream().read()).isEqualTo(handshake);
            }
        };
    }

    // ---- one option each

    private static void looksUpForAMoment() {
        String host = "option" + HangingNames.SUFFIX;
        try (MongoClient client =
                MongoClients.create("mongodb://" + host + "/?loadBalanced=true&connectTimeoutMS=50")) {
            assertThatThrownBy(() -> insert(collection(client))).hasMessageContaining(host + ": no answer within");
        }
    }

    private static void asksTheOtherMember() throws IOException {
        try (var one = new RecordingServer();
                var other = new RecordingServer()) {
            var isBusy = new AtomicBoolean();
            one.greet(RecordingServer.member(one, "isWritablePrimary: true", one, other));
            other.greet(RecordingServer.member(other, "isWritablePrimary: false, secondary: true", one, other));
            for (RecordingServer each : List.of(one, other)) {
                each.answer((command, count) -> isBusy.getAndSet(false) ? BUSY : FOUND);
            }
            try (MongoClient client = MongoClients.create(uri(
                    one,
                    "replicaSet=rs&readPreference=nearest&localThresholdMS=10000&enableOverloadRetargeting=true"))) {
                Await.until(() -> client.getClusterDescription().servers().stream()
                                .filter(each -> each.type().isDataBearing())
                                .count()
                        == 2);
                for (int i = 1; i <= 20; i++) {
                    isBusy.set(true);
                    find(collection(client));
                    assertThat(one.commands("find")).hasSize(i);
                    assertThat(other.commands("find")).hasSize(i);
                }
            }
        }
    }

    /** A server that offers to tell news is asked to wait for them as long as a heartbeat takes. */
    private static RecordingServer telling() throws IOException {
        var server = new RecordingServer();
        server.greet(RecordingServer.member(
                server,
                "isWritablePrimary: true, topologyVersion: {processId: {$oid: '000000000000000000000001'}, counter:"
                        + " {$numberLong: '1'}}",
                server));
        return server;
    }

    private static void awaitsNews() throws IOException {
        try (var server = telling();
                MongoClient client = MongoClients.create(uri(server, "heartbeatFrequencyMS=700"))) {
            Await.until(() -> server.hellos().stream().anyMatch(each -> each.containsKey("maxAwaitTimeMS")));
            assertThat(client.getClusterDescription().servers()).hasSize(1);
            assertThat(server.hellos())
                    .filteredOn(each -> each.containsKey("maxAwaitTimeMS"))
                    .allSatisfy(
                            each -> assertThat(each.getNumber("maxAwaitTimeMS").intValue())
                                    .isEqualTo(700));
        }
    }

    private static void polls() throws IOException {
        try (var server = telling();
                MongoClient client =
                        MongoClients.create(uri(server, "serverMonitoringMode=poll&heartbeatFrequencyMS=500"))) {
            Await.until(() -> server.hellos().size() >= 3);
            assertThat(client.getClusterDescription().servers()).hasSize(1);
            assertThat(server.hellos()).noneMatch(each -> each.containsKey("maxAwaitTimeMS"));
        }
    }

    private static void saysThatItIsBehindALoadBalancer() throws IOException {
        try (var server = answering(new RecordingServer())) {
            server.greet(RecordingServer.common("msg: 'isdbgrid', serviceId: {$oid: '000000000000000000000001'}"));
            try (MongoClient client = MongoClients.create(uri(server, "loadBalanced=true"))) {
                insert(collection(client));
            }
            assertThat(server.hellos())
                    .singleElement()
                    .satisfies(each -> assertThat(at(each, "loadBalanced")).isEqualTo(value("true")));
        }
    }

    /** By default only the fast one would be used. */
    private static void usesASlowRouterToo() throws IOException {
        try (var fast = router();
                var slow = router()) {
            String hello = RecordingServer.common("msg: 'isdbgrid', isWritablePrimary: true");
            slow.helloEach(connection -> {
                pause(slow, 300);
                return hello;
            });
            String uri = "mongodb://" + fast.address() + "," + slow.address()
                    + "/?localThresholdMS=60000&serverMonitoringMode=poll";
            try (MongoClient client = MongoClients.create(uri)) {
                Await.until(() -> {
                    find(collection(client));
                    return !slow.commands("find").isEmpty();
                });
            }
        }
    }

    private static void pause(RecordingServer server, long ms) {
        try {
            server.pause(ms);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void connectsThreeAtATime() throws Exception {
        try (var server = primary();
                MongoClient client = MongoClients.create(uri(server, "maxConnecting=3&serverMonitoringMode=poll"));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            insert(collection(client));
            int before = server.connections();
            var connecting = new CountDownLatch(3);
            var all = new CountDownLatch(1);
            String hello = RecordingServer.member(server, "isWritablePrimary: true", server);
            server.helloEach(connection -> {
                if (connection > before) {
                    connecting.countDown();
                    await(all);
                }
                return hello;
            });
            server.answer((command, count) -> {
                await(all);
                return "{ok: 1, n: 1}";
            });
            List<Future<?>> inserts = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                inserts.add(threads.submit(() -> insert(collection(client))));
            }
            await(connecting);
            all.countDown();
            for (Future<?> each : inserts) {
                each.get();
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void waitsForTheOnlyConnection() throws Exception {
        try (var server = RecordingServer.primary();
                MongoClient client = MongoClients.create(uri(server, "maxPoolSize=1&waitQueueTimeoutMS=50"))) {
            var over = new CountDownLatch(1);
            server.answer((command, count) -> {
                await(over);
                return "{ok: 1, n: 1}";
            });
            var first = new FutureTask<>(() -> insert(collection(client)), true);
            Thread.ofVirtual().start(first);
            Await.until(() -> !server.heard().isEmpty());
            assertThatThrownBy(() -> insert(collection(client))).isInstanceOf(MongoWaitQueueTimeoutException.class);
            over.countDown();
            first.get();
        }
    }

    private static void connectsInAdvance() throws IOException {
        try (var server = primary();
                MongoClient client = MongoClients.create(uri(server, "minPoolSize=3&serverMonitoringMode=poll"))) {
            int monitors = 1;
            Await.until(() -> server.connections() == monitors + 3);
            assertThat(client.getClusterDescription().servers()).hasSize(1);
        }
    }

    private static void insistsOnTheSet() throws IOException {
        try (var server = primary();
                MongoClient client = MongoClients.create(uri(server, "replicaSet=another"))) {
            Await.until(() -> client.getClusterDescription().servers().isEmpty());
        }
    }

    private static void givesUpSoon() {
        try (MongoClient client = MongoClients.create("mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=7")) {
            assertThatThrownBy(() -> insert(collection(client))).isInstanceOf(MongoTimeoutException.class);
        }
    }

    private static void waitsForRepliesForAMoment() throws IOException {
        try (var server = RecordingServer.primary();
                MongoClient client = MongoClients.create(uri(server, "socketTimeoutMS=50&retryReads=false"))) {
            server.answer((command, count) -> {
                server.pause(30_000);
                return FOUND;
            });
            assertThatThrownBy(() -> find(collection(client))).isInstanceOf(MongoSocketReadTimeoutException.class);
        }
    }

    private static void limitsTheServer() throws IOException {
        try (var server = primary();
                MongoClient client = MongoClients.create(uri(server, "timeoutMS=7000"))) {
            find(collection(client));
            assertThat(server.commands("find"))
                    .singleElement()
                    .satisfies(each -> assertThat(each.getNumber("maxTimeMS", new BsonInt32(0))
                                    .intValue())
                            .isBetween(1, 7000));
        }
    }

    private static MongoClient seeded(String options, List<String> asked) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString("mongodb+srv://x.0.0.1/?tls=false&" + options))
                .dnsClient((name, type) -> {
                    asked.add(name);
                    return type.equals("TXT")
                            ? List.of()
                            : List.of("0 0 1 127.0.0.1.", "0 0 2 127.0.0.1.", "0 0 3 127.0.0.1.");
                })
                .build());
    }

    private static void takesOneOfTheSeeds() {
        try (MongoClient client = seeded("srvMaxHosts=1", new CopyOnWriteArrayList<>())) {
            assertThat(client.getClusterDescription().servers()).hasSize(1);
        }
    }

    private static void looksForTheService() {
        var asked = new CopyOnWriteArrayList<String>();
        try (MongoClient client = seeded("srvServiceName=shop", asked)) {
            assertThat(client.getClusterDescription().servers()).hasSize(3);
            assertThat(asked).contains("_shop._tcp.x.0.0.1");
        }
    }
}
