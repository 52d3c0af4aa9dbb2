package dev.semel.cli.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClients;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoSecurityException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.golden.certificate.Certificates;
import dev.semel.golden.certificate.Certificates.Form;
import dev.semel.golden.certificate.Certificates.Owner;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.server.tls.Tls;
import dev.semel.server.tls.Tls.Mode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import dev.semel.wire.tls.PemFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** This project's driver and the official one, with the server, where neither trusts the other without proof. */
class SecureConnectionTest {
    private static final String PASSWORD = "a key's password";
    private static final RawDocument PING =
            new BsonWriter().put("ping", 1).put("$db", "admin").finish();
    private static final String SHORT = "&serverSelectionTimeoutMS=1500";

    @TempDir
    static Path folder;

    private static Owner localhost;
    private static Owner elsewhere;
    private static Owner ann;

    @BeforeAll
    static void makeCertificates() throws Exception {
        Certificates certificates = new Certificates(folder);
        localhost = certificates.make("localhost", "dns:localhost,ip:127.0.0.1", Form.PKCS_8, PASSWORD);
        elsewhere = certificates.make("elsewhere", "dns:elsewhere.example", Form.PKCS_8, PASSWORD);
        ann = certificates.make("ann", "", Form.ENCRYPTED, PASSWORD);
    }

    private static Tls tls(Mode mode, Owner owner) throws IOException {
        return Tls.of(mode, owner.both(), null, null, false);
    }

    private static Tls asking(boolean alsoWithout) throws IOException {
        return Tls.of(Mode.requireTLS, localhost.both(), null, ann.certificate(), alsoWithout);
    }

    private static void work(Server server, String options) {
        try (MongoClient client = client(server, "", options)) {
            work(client);
        }
    }

    private static void work(MongoClient client) {
        var collection = client.getDatabase("db").getCollection("c");
        collection.insertOne(new Document("text", "x".repeat(100_000)));
        assertThat(collection.find().first()).isNotNull();
    }

    private static MongoClient client(Server server, String user, String options) {
        return MongoClients.create("mongodb://" + user + server.address() + "/?replicaSet=rs0" + options);
    }

    private static String trusting(Owner owner) {
        return "&tls=true&tlsCAFile=" + owner.certificate();
    }

    private static void failsToConnect(Server server, String options, String why) {
        try (MongoClient client = client(server, "", options + SHORT)) {
            assertThatThrownBy(() -> work(client))
                    .isInstanceOf(MongoTimeoutException.class)
                    .hasMessageContaining(why);
        }
    }

    // ---- TLS

    @ParameterizedTest
    @EnumSource
    void keyIsReadInEachForm(Form form) throws Exception {
        Owner owner = new Certificates(Files.createTempDirectory(folder, "form"))
                .make("localhost", "ip:127.0.0.1", form, PASSWORD);
        Tls tls = Tls.of(Mode.requireTLS, owner.both(), form == Form.ENCRYPTED ? PASSWORD : null, null, false);
        try (Server server = Server.start(ServerOptions.memory().tls(tls))) {
            work(server, trusting(owner));
        }
    }

    @Test
    void officialDriverEncryptsToo() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, PemFile.read(localhost.certificate()).trustManagers(), new SecureRandom());
        try (Server server = Server.start(ServerOptions.memory().tls(tls(Mode.requireTLS, localhost)));
                var client = com.mongodb.client.MongoClients.create(MongoClientSettings.builder()
                        .applyConnectionString(new ConnectionString(server.connectionString()))
                        .applyToSslSettings(each -> each.enabled(true).context(context))
                        .build())) {
            client.getDatabase("db").getCollection("c").insertOne(new Document("_id", 1));
            assertThat(client.getDatabase("db").getCollection("c").countDocuments())
                    .isEqualTo(1);
        }
    }

    @Test
    void driverInsistsOnTheHostAndOnACertificateThatItTrusts() throws IOException {
        try (Server server = Server.start(ServerOptions.memory().tls(tls(Mode.requireTLS, elsewhere)))) {
            failsToConnect(server, trusting(elsewhere), "127.0.0.1");
            failsToConnect(server, "&tls=true", "PKIX");
            failsToConnect(server, trusting(localhost), "PKIX");
            work(server, trusting(elsewhere) + "&tlsAllowInvalidHostnames=true");
            work(server, "&tls=true&tlsInsecure=true");
        }
    }

    @Test
    void certificateSaysUnderWhichNameToConnect() throws Exception {
        Certificates certificates = new Certificates(Files.createTempDirectory(folder, "names"));
        assertAnnounced(localhost, "localhost", true);
        assertAnnounced(certificates.make("v4", "ip:127.0.0.1", Form.PKCS_8, ""), "127.0.0.1", true);
        assertAnnounced(certificates.make("localhost", "", Form.PKCS_8, ""), "localhost", true);
        assertAnnounced(certificates.make("v6", "ip:::1", Form.PKCS_8, ""), "127.0.0.1", false);
        assertAnnounced(elsewhere, "127.0.0.1", false);
        ServerOptions chosen = ServerOptions.memory().tls(tls(Mode.requireTLS, elsewhere));
        assertAnnounced(chosen.advertise("elsewhere.example"), "elsewhere.example", true);
        assertAnnounced(chosen.advertise("other.example"), "other.example", false);
    }

    private static void assertAnnounced(Owner owner, String host, boolean isProven) throws IOException {
        assertAnnounced(ServerOptions.memory().tls(tls(Mode.requireTLS, owner)), host, isProven);
    }

    private static void assertAnnounced(ServerOptions options, String host, boolean isProven) throws IOException {
        try (Server server = Server.start(options)) {
            assertThat(server.connectionString()).matches("mongodb://" + host + ":[0-9]+/\\?replicaSet=rs0&tls=true");
            String warnings = Json.relaxed(log(server, "startupWarnings"));
            assertThat(warnings.contains("The certificate is not valid for " + host))
                    .isEqualTo(!isProven);
        }
        try (Server server = Server.start(options.standalone())) {
            assertThat(server.connectionString()).endsWith("/?tls=true");
        }
    }

    private static RawDocument log(Server server, String which) {
        try (var connection = server.connect()) {
            return connection.run(
                    new BsonWriter().put("getLog", which).put("$db", "admin").finish());
        }
    }

    @Test
    void whoDoesNotEncryptIsRefusedWhereItIsRequired() throws IOException {
        try (Server server = Server.start(ServerOptions.memory().tls(tls(Mode.requireTLS, localhost)))) {
            failsToConnect(server, "", "end of stream");
            assertThat(Json.relaxed(log(server, "global")))
                    .contains("Closing a connection that is not encrypted, because this server requires TLS");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"allowTLS", "preferTLS"})
    void bothAreServedWhereItIsAllowed(Mode mode) throws IOException {
        try (Server server = Server.start(ServerOptions.memory().tls(tls(mode, localhost)))) {
            work(server, "");
            work(server, trusting(localhost));
        }
    }

    @Test
    void serverWithoutTlsDoesNotReplyToTlsClients() throws IOException {
        try (Server server = Server.start(ServerOptions.memory())) {
            failsToConnect(server, trusting(localhost), "");
            assertThat(Json.relaxed(log(server, "global")))
                    .contains("Closing a connection that wants TLS, because this server was started without it");
        }
    }

    /** Python's driver, among others, closes its connections so. */
    @Test
    void clientThatEndsWithoutTellingTlsIsNoFailure() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, PemFile.read(localhost.certificate()).trustManagers(), new SecureRandom());
        try (Server server = Server.start(ServerOptions.memory().tls(tls(Mode.requireTLS, localhost)))) {
            int port = port(server);
            try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port)) {
                SSLSocket encrypted =
                        (SSLSocket) context.getSocketFactory().createSocket(plain, "localhost", port, false);
                encrypted.startHandshake();
                new MessageWriter(encrypted.getOutputStream()).write(OpMsg.of(1, 0, PING), Compressor.NONE);
                assertThat(new MessageReader(encrypted.getInputStream()).read()).isNotNull();
                plain.shutdownOutput();
                assertThat(plain.getInputStream().readAllBytes()).isNotNull();
            }
            work(server, trusting(localhost));

            assertThat(Json.relaxed(log(server, "global"))).doesNotContain("because TLS failed");
        }
    }

    /** Whoever opens a connection and says nothing, or stops half-way, must not hold up the others or the end. */
    @Test
    void halfOpenHandshakesDoNotDelayOthers() throws IOException {
        Server server = Server.start(ServerOptions.memory().tls(tls(Mode.allowTLS, localhost)));
        int port = port(server);
        try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), port);
                Socket begun = new Socket(InetAddress.getLoopbackAddress(), port)) {
            begun.getOutputStream().write(new byte[] {0x16, 0x03, 0x01, 0x02, 0x00, 0x01});
            work(server, trusting(localhost));
            server.close();
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static int port(Server server) {
        return Integer.parseInt(server.address().replaceFirst(".*:", ""));
    }

    // ---- certificates of clients

    @Test
    void clientIsAskedForACertificate() throws IOException {
        try (Server server = Server.start(ServerOptions.memory().tls(asking(false)))) {
            failsToConnect(server, trusting(localhost), "");
            work(server, trusting(localhost) + certificate());
        }
        try (Server server = Server.start(ServerOptions.memory().tls(asking(true)))) {
            work(server, trusting(localhost));
        }
    }

    private static String certificate() {
        return "&tlsCertificateKeyFile=" + ann.both() + "&tlsCertificateKeyFilePassword="
                + PASSWORD.replace(" ", "%20");
    }

    @Test
    void certificateAuthenticatesTheClient() throws IOException {
        ServerOptions options = ServerOptions.memory()
                .accessControl()
                .user("root", "pencil", "root")
                .tls(asking(true));
        String x509 = "&authMechanism=MONGODB-X509&authSource=%24external";
        try (Server server = Server.start(options)) {
            try (MongoClient client = client(server, "", trusting(localhost) + certificate() + x509)) {
                assertThatThrownBy(() -> work(client))
                        .isInstanceOf(MongoSecurityException.class)
                        .hasMessageContaining("Authentication failed");
            }
            try (MongoClient root = client(server, "root:pencil@", trusting(localhost))) {
                root.getDatabase("$external")
                        .runCommand(new Document("createUser", "CN=ann,O=Semel")
                                .append("roles", List.of(new Document("role", "readWrite").append("db", "db"))));
            }
            try (MongoClient client = client(server, "", trusting(localhost) + certificate() + x509)) {
                work(client);
                assertThat(user(client)).isEqualTo("CN=ann,O=Semel");
            }
            try (MongoClient client = client(server, "", trusting(localhost) + x509)) {
                assertThatThrownBy(() -> work(client)).isInstanceOf(MongoSecurityException.class);
            }
        }
    }

    private static @Nullable String user(MongoClient client) {
        Document status = client.getDatabase("admin").runCommand(new Document("connectionStatus", 1));
        return status.get("authInfo", Document.class)
                .getList("authenticatedUsers", Document.class)
                .getFirst()
                .getString("user");
    }

    // ---- passwords

    @ParameterizedTest
    @ValueSource(strings = {"", "&authMechanism=SCRAM-SHA-1", "&authMechanism=SCRAM-SHA-256"})
    void passwordAuthenticatesTheClient(String mechanism) throws IOException {
        try (Server server =
                Server.start(ServerOptions.memory().accessControl().user("a,n=n", "p\u00E9ncil@:/", "root"))) {
            String user = "a%2Cn%3Dn:p%C3%A9ncil%40%3A%2F@";
            try (MongoClient client = client(server, user, mechanism)) {
                work(client);
                assertThat(user(client)).isEqualTo("a,n=n");
            }
            try (MongoClient client = client(server, "a%2Cn%3Dn:wrong@", mechanism)) {
                assertThatThrownBy(() -> work(client))
                        .isInstanceOf(MongoSecurityException.class)
                        .hasMessageContaining("Authentication failed");
            }
        }
    }

    @Test
    void userOfOneMechanismIsFoundByIt() throws IOException {
        try (Server server = Server.start(ServerOptions.memory().accessControl().user("root", "pencil", "root"));
                MongoClient root = client(server, "root:pencil@", "")) {
            root.getDatabase("db")
                    .runCommand(new Document("createUser", "old")
                            .append("pwd", "pencil")
                            .append("mechanisms", List.of("SCRAM-SHA-1"))
                            .append("roles", List.of("readWrite")));
            try (MongoClient client = client(server, "old:pencil@", "&authSource=db")) {
                work(client);
            }
            try (MongoClient client = client(server, "old:pencil@", "&authSource=db&authMechanism=SCRAM-SHA-256")) {
                assertThatThrownBy(() -> work(client)).isInstanceOf(MongoSecurityException.class);
            }
            try (MongoClient client = client(server, "old:pencil@", "&authSource=db&authMechanism=PLAIN")) {
                assertThatThrownBy(() -> work(client))
                        .isInstanceOf(MongoSecurityException.class)
                        .hasMessageContaining("PLAIN");
            }
        }
    }

    // ---- what is wrong with files

    @Test
    void badFileIsNamedWithTheReason() throws IOException {
        Path text = Files.writeString(folder.resolve("text.pem"), "hello");
        assertBad(folder.resolve("nothing.pem"), "there is no file");
        assertBad(text, "is not in PEM form");
        assertBad(localhost.certificate(), "holds no private key");
        assertBad(ann.both(), "there is no password");
        assertThatThrownBy(() -> Tls.of(Mode.requireTLS, ann.both(), "wrong", null, false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ann.pem");
        assertThatThrownBy(() -> Tls.of(Mode.requireTLS, localhost.both(), null, text, false))
                .hasMessageContaining("text.pem is not in PEM form");
    }

    private static void assertBad(Path file, String why) {
        assertThatThrownBy(() -> Tls.of(Mode.requireTLS, file, null, null, false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(why);
    }

    /** The bytes of a record count only together, and each of them is quick. */
    @Test
    void anAnswerThatDripsEndsWithTheTimeout() throws IOException {
        try (Server server = Server.start(ServerOptions.memory().tls(tls(Mode.requireTLS, localhost)));
                var relay = new SlowRelay(new ServerAddress(server.address()).port());
                MongoClient client = MongoClients.create("mongodb://localhost:" + relay.port()
                        + "/?directConnection=true&timeoutMS=1000" + trusting(localhost))) {
            work(client);
            relay.drip();

            assertThatThrownBy(() -> work(client)).isInstanceOf(MongoOperationTimeoutException.class);
        }
    }

    @Test
    void sendingToAServerThatStopsReadingEndsWithTheTimeout() throws IOException {
        try (Server server = Server.start(ServerOptions.memory().tls(tls(Mode.requireTLS, localhost)));
                var relay = new SlowRelay(new ServerAddress(server.address()).port());
                MongoClient client = MongoClients.create("mongodb://localhost:" + relay.port()
                        + "/?directConnection=true&timeoutMS=1000" + trusting(localhost))) {
            work(client);
            relay.stopReading();
            var large = new Document("text", "x".repeat(15_000_000));

            assertThatThrownBy(() -> client.getDatabase("db").getCollection("c").insertOne(large))
                    .isInstanceOf(MongoOperationTimeoutException.class);
        }
    }
}
