package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.server.tls.Tls;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members that authenticate each other. */
@Timeout(180)
class SecureClusterTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Logger LOGGER = Logger.getLogger("dev.semel.repl");

    @TempDir
    private Path folder;

    private final Queue<String> warnings = new ConcurrentLinkedQueue<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            if (record.getLevel() == Level.WARNING) {
                warnings.add(record.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void listenNoMore() {
        LOGGER.removeHandler(handler);
    }

    private MemberSecurity keyFile(String content) throws IOException {
        Path file = Files.writeString(folder.resolve(content), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return MemberSecurity.keyFile(file);
    }

    /** The third member has what the others do not accept: they do without it, and it is never elected. */
    private void assertThirdTakesNoPart(List<MemberSecurity> security, String why) throws Exception {
        try (Cluster cluster = Cluster.start(security);
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            int primary = cluster.awaitPrimary(SOON);
            assertThat(primary).isLessThan(2);
            MongoCollection<Document> documents = client.getDatabase("test").getCollection("documents");
            for (int i = 0; i < 20; i++) {
                documents.insertOne(new Document("_id", i));
            }
            Server third = Objects.requireNonNull(cluster.member(2));
            try (LocalConnection connection = third.connect()) {
                BsonWriter list = new BsonWriter()
                        .put("listDatabases", 1)
                        .put("nameOnly", true)
                        .put("$db", "admin")
                        .startDocument("$readPreference")
                        .put("mode", "nearest")
                        .end();
                assertThat(connection.run(list.finish()).toString()).doesNotContain("\"test\"");
            }
            assertThat(cluster.awaitPrimary(SOON)).isEqualTo(primary);
            assertThat(warnings).anyMatch(each -> each.endsWith(why));
            // Each of the three warns of a reason once.
            assertThat(warnings).allMatch(each -> Collections.frequency(warnings, each) <= 3);
        }
    }

    @Test
    void membersWithTheSameKeyFile() throws Exception {
        try (Cluster cluster = Cluster.start(List.of(keyFile("secret"), keyFile("secret"), keyFile("secret")));
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            MongoCollection<Document> documents = client.getDatabase("test").getCollection("documents");
            documents.insertOne(new Document("_id", 1));
            cluster.stop(cluster.awaitPrimary(SOON));
            documents.insertOne(new Document("_id", 2));
            assertThat(documents.countDocuments()).isEqualTo(2);
            assertThat(warnings).isEmpty();
        }
    }

    @Test
    void memberWithAnotherKeyTakesNoPart() throws Exception {
        assertThirdTakesNoPart(
                List.of(keyFile("secret"), keyFile("secret"), keyFile("another")),
                "it was not made with this member's key file: all members of a set need the same one");
    }

    @Test
    void memberOfAnotherOrganizationTakesNoPart() throws Exception {
        Authority authority = new Authority(folder);
        assertThirdTakesNoPart(
                List.of(
                        authority.member("a", "CN=a,O=Ours"),
                        authority.member("b", "CN=b,O=Ours"),
                        authority.member("c", "CN=c,O=Theirs")),
                "it is no member's: it names O=Theirs, and this member's O=Ours");
    }

    @Test
    void certificateWithoutOrganizationIsRefused() {
        assertThatThrownBy(() -> new Authority(folder).member("a", "CN=a"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(" is of CN=a: a member's has to name O, OU or DC");
    }

    private static RawDocument admin(Cluster cluster, int member, String command, int argument) {
        try (LocalConnection connection =
                Objects.requireNonNull(cluster.member(member)).connect()) {
            return connection.run(
                    new BsonWriter().put(command, argument).put("$db", "admin").finish());
        }
    }

    /** Who asks for the status, or hands over, asks the others at their ports for clients. */
    @Test
    void membersAskEachOtherWhereClientsMustUseTls() throws Exception {
        new Authority(folder).member("a", "CN=a,O=Ours");
        Tls tls = Tls.of(Tls.Mode.requireTLS, folder.resolve("a.pem"), null, folder.resolve("ca.pem"), false);
        try (Cluster cluster = Cluster.start(3, folder.resolve("set"), false, options -> options.tls(tls))) {
            int primary = cluster.awaitPrimary(SOON);
            long deadline = System.nanoTime() + SOON.toNanos();
            while (admin(cluster, primary, "replSetGetStatus", 1).toString().split("SECONDARY", -1).length != 3) {
                assertThat(System.nanoTime())
                        .as(admin(cluster, primary, "replSetGetStatus", 1).toString())
                        .isLessThan(deadline);
                LockSupport.parkNanos(1_000_000);
            }
            RawDocument steppedDown = admin(cluster, primary, "replSetStepDown", 60);
            assertThat(steppedDown.get("ok")).isEqualTo(Value.of(1.0));
            assertThat(cluster.awaitPrimary(SOON)).isNotEqualTo(primary);
        }
    }

    private void assertRefused(String self, String message) {
        SetOptions set = new SetOptions("rs0", List.of(self), self, folder.resolve("log"), SetOptions.ELECTION_TIMEOUT);
        assertThatThrownBy(() -> Member.start(ServerOptions.memory().port(0), set))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void addressesThatAreNotOfThisMachineAreRefused() {
        assertRefused(
                "no-such-host.invalid:27017",
                "the address of this member of the set, no-such-host.invalid:27017, is unknown: ");
        assertRefused(
                "192.0.2.1:27017",
                "the address of this member of the set, 192.0.2.1:27017, is not on this machine (192.0.2.1).");
    }

    @Test
    void withoutSecurityMembersListenOnLoopbackOnly() throws Exception {
        String own = InetAddress.getLocalHost().getHostAddress();
        Assumptions.assumeFalse(InetAddress.getByName(own).isLoopbackAddress());
        assertRefused(own + ":27017", "the member " + own + ":27017 would listen for other members at " + own);
    }

    /** Makes certificates with the JDK's program. */
    private record Authority(Path folder) {
        private static final String PASSWORD = "changeit";

        private void make(String name, String subject, String... more) throws Exception {
            List<String> command = new ArrayList<>();
            command.add(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
            // Its second compiler would take more CPU than the rest of it.
            command.add("-J-XX:TieredStopAtLevel=1");
            command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-alias", name, "-dname", subject));
            command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore"));
            command.add(folder.resolve("all.p12").toString());
            command.addAll(List.of(more));
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
        }

        MemberSecurity member(String name, String subject) throws Exception {
            if (!Files.exists(folder.resolve("all.p12"))) {
                make("ca", "CN=Authority", "-ext", "bc:c");
            }
            make(name, subject, "-ext", "san=ip:127.0.0.1", "-signer", "ca");
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(folder.resolve("all.p12"))) {
                keys.load(in, PASSWORD.toCharArray());
            }
            Path authority = Files.writeString(
                    folder.resolve("ca.pem"),
                    pem("CERTIFICATE", keys.getCertificate("ca").getEncoded()));
            Path own = Files.writeString(
                    folder.resolve(name + ".pem"),
                    pem("PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded())
                            + pem("CERTIFICATE", keys.getCertificate(name).getEncoded()));
            return MemberSecurity.certificates(own, null, authority);
        }

        private static String pem(String kind, byte[] bytes) {
            return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
                    .formatted(kind, Base64.getMimeEncoder().encodeToString(bytes), kind);
        }
    }
}
