package dev.semel.cli.secure;

import static dev.semel.blackpipe.message.Match.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import dev.semel.blackpipe.audit.Audit;
import dev.semel.blackpipe.audit.AuditException;
import dev.semel.blackpipe.audit.JsonCheck;
import dev.semel.blackpipe.audit.Kind;
import dev.semel.blackpipe.audit.Verdict;
import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.proxy.Listening;
import dev.semel.blackpipe.proxy.Proxy;
import dev.semel.driver.MongoClients;
import dev.semel.driver.error.MongoSecurityException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.golden.certificate.Certificates;
import dev.semel.golden.certificate.Certificates.Form;
import dev.semel.golden.certificate.Certificates.Owner;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.server.tls.Tls;
import dev.semel.server.tls.Tls.Mode;
import dev.semel.wire.tls.ClientTls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults on the way to a server that lets nobody in without a password and understands nothing that is not encrypted. */
class SecureProxyTest {
    private static final String SHORT = "&serverSelectionTimeoutMS=1500";

    @TempDir
    static Path folder;

    private static Owner localhost;
    private static Owner stranger;
    private static Server server;

    @BeforeAll
    static void serve() throws Exception {
        Certificates certificates = new Certificates(folder);
        localhost = certificates.make("localhost", "dns:localhost,ip:127.0.0.1", Form.PKCS_8, "");
        stranger = certificates.make("stranger", "dns:localhost,ip:127.0.0.1", Form.PKCS_8, "");
        server = Server.start(ServerOptions.memory()
                .accessControl()
                .user("ann", "a p@ssword", "root")
                .tls(Tls.of(Mode.requireTLS, localhost.both(), null, null, false)));
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static String target(String password, Owner trusted, String options) {
        return "mongodb://ann:" + password + "@" + server.address() + "/?replicaSet=rs0&tls=true&tlsCAFile="
                + trusted.certificate() + options;
    }

    private static String target() {
        return target("a%20p%40ssword", localhost, "");
    }

    private static void increment(String uri) {
        try (var client = MongoClients.create(uri)) {
            var database = Objects.requireNonNullElse(new ConnectionString(uri).getDatabase(), "db");
            client.getDatabase(database)
                    .getCollection("days")
                    .updateOne(
                            new Document("_id", "day"),
                            new Document("$inc", new Document("n", 1)),
                            new UpdateOptions().upsert(true));
        }
    }

    private static Rule lostReply() {
        return Rule.of(command("update"), Phase.AFTER_APPLY, new Action.Close());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&authMechanism=SCRAM-SHA-1", "&authMechanism=SCRAM-SHA-256"})
    void clientsLogInThroughTheProxyWithoutRevealingPasswords(String mechanism) throws IOException {
        try (var proxy = Proxy.start(target(), Plan.of(lostReply()))) {
            assertThat(proxy.uri()).doesNotContain("tls");
            assertThat(proxy.clientUri().shown()).startsWith("mongodb://ann:***@");
            increment(proxy.uri() + mechanism);
            assertThat(proxy.plan().status())
                    .extracting(Plan.RuleStatus::injected)
                    .containsExactly(1L);
            assertThatThrownBy(() -> increment(proxy.uri().replace("%40", "")))
                    .isInstanceOf(MongoSecurityException.class);
        }
    }

    @Test
    void officialDriverLogsInThroughTheProxyAndWritesOnce() throws IOException {
        try (var proxy = Proxy.start(target(), Plan.of(lostReply()));
                var client = com.mongodb.client.MongoClients.create(proxy.uri())) {
            var counters = client.getDatabase("db").getCollection("counters");
            counters.insertOne(new Document("_id", 1).append("n", 0));
            counters.updateOne(new Document("_id", 1), new Document("$inc", new Document("n", 1)));
            assertThat(counters.find().first()).containsEntry("n", 1);
        }
    }

    @Test
    void proxyCanEncryptToo() throws IOException {
        var listening = Listening.encrypted(0, localhost.both(), null);
        try (var proxy = Proxy.start(target(), Plan.of(lostReply()), listening)) {
            increment(proxy.uri() + "&tlsCAFile=" + localhost.certificate());
            assertThat(proxy.plan().status())
                    .extracting(Plan.RuleStatus::injected)
                    .containsExactly(1L);
            assertThatThrownBy(() -> increment(proxy.uri() + SHORT + "&tlsCAFile=" + stranger.certificate()))
                    .isInstanceOf(MongoTimeoutException.class);
            assertThatThrownBy(() -> increment(proxy.uri().replace("&tls=true", "") + SHORT))
                    .isInstanceOf(MongoTimeoutException.class);
        }
    }

    private static void incrementWithOfficialDriver(String uri) throws IOException {
        var context = ClientTls.context(null, null, localhost.certificate(), false);
        var settings = MongoClientSettings.builder()
                .applyConnectionString(new com.mongodb.ConnectionString(uri))
                .applyToSslSettings(ssl -> ssl.context(context))
                .build();
        try (var client = com.mongodb.client.MongoClients.create(settings)) {
            client.getDatabase("db").getCollection("counters").insertOne(new Document());
        }
    }

    @Test
    void handshakeThatFailsIsNamedByBothDrivers() throws IOException {
        try (var proxy = Proxy.start(target(), Plan.of(), Listening.encrypted(0, localhost.both(), null))) {
            var uri = proxy.uri() + "&tlsCAFile=" + localhost.certificate();
            proxy.badHandshake(Action.FOREVER);
            assertThatThrownBy(() -> increment(uri + SHORT))
                    .isInstanceOf(MongoTimeoutException.class)
                    .hasMessageContaining("handshake_failure");
            assertThatThrownBy(() -> incrementWithOfficialDriver(proxy.uri() + SHORT))
                    .isInstanceOf(com.mongodb.MongoTimeoutException.class)
                    .hasMessageContaining("handshake_failure");
            proxy.endBadHandshake();
            increment(uri);
            incrementWithOfficialDriver(proxy.uri());
        }
    }

    @Test
    void wrongCertificateIsRefusedByBothDrivers() throws IOException {
        try (var proxy = Proxy.start(target(), Plan.of(), Listening.encrypted(0, localhost.both(), null))) {
            var uri = proxy.uri() + "&tlsCAFile=" + localhost.certificate();
            proxy.badCertificate(Action.FOREVER);
            assertThatThrownBy(() -> increment(uri + SHORT))
                    .isInstanceOf(MongoTimeoutException.class)
                    .hasMessageContaining("unable to find valid certification path");
            assertThatThrownBy(() -> incrementWithOfficialDriver(proxy.uri() + SHORT))
                    .isInstanceOf(com.mongodb.MongoTimeoutException.class)
                    .hasMessageContaining("unable to find valid certification path");
            increment(proxy.uri() + "&tlsInsecure=true");
            proxy.endBadCertificate();
            increment(uri);
        }
    }

    @Test
    void retryableWriteSurvivesACertificateThatIsWrongForAMoment() throws IOException {
        var rule = Rule.of(command("update"), Phase.AFTER_APPLY, new Action.BadCertificate(300));
        try (var proxy = Proxy.start(target(), Plan.of(rule), Listening.encrypted(0, localhost.both(), null))) {
            increment(proxy.uri() + "&tlsCAFile=" + localhost.certificate());
            assertThat(proxy.plan().status())
                    .extracting(Plan.RuleStatus::injected)
                    .containsExactly(1L);
        }
    }

    @Test
    void planWithTlsFaultsIsRefusedWithoutTls() {
        var rule = Rule.of(command("update"), Phase.BEFORE, new Action.BadHandshake(300));
        assertThatThrownBy(() -> Proxy.start(target(), Plan.of(rule)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'badhandshake 300 ms' needs clients that encrypt: give the proxy a certificate");
    }

    @Test
    void serverThatIsNotTrustedIsNotReached() {
        assertThatThrownBy(() -> Proxy.start(target("x", stranger, ""), Plan.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot reach " + server.address());
        assertThatThrownBy(() -> Proxy.start(target().replace("localhost.crt", "nowhere.crt"), Plan.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no file")
                .hasMessageContaining("nowhere.crt");
    }

    private static Audit audit(String target) {
        var check = JsonCheck.parse("{\"find\": \"days\", \"expect\": [{\"_id\": \"day\", \"n\": 1}]}");
        return Audit.of(SecureProxyTest::increment)
                .setup(check::lookBefore)
                .invariant(check)
                .target(target)
                .faults(Kind.TRANSIENT, Kind.OUTAGE, Kind.COMMAND_ERROR)
                .selectionTimeout(Duration.ofSeconds(2))
                .parallel(5);
    }

    @Test
    void auditLogsInAndReportsAuthenticationApart() throws Exception {
        var report = audit(target("a%20p%40ssword", localhost, "&tlsAllowInvalidHostnames=true"))
                .run();
        assertThat(report.findings())
                .filteredOn(each -> each.verdict() != Verdict.CORRECT)
                .extracting(each -> each.point() + ": " + each.verdict().label() + " " + each.error())
                .isEmpty();
        assertThat(report.findings(false))
                .extracting(each -> each.point().command())
                .containsOnly("update");
        assertThat(report.findings(true))
                .extracting(each -> each.point().command())
                .contains("saslContinue");
    }

    @Test
    void auditThatCannotLogInSaysWhy() {
        assertThatThrownBy(() -> audit(target("wrong", localhost, "")).run())
                .isInstanceOf(AuditException.class)
                .hasMessageContaining("cannot log in as ann of admin");
        assertThatThrownBy(() ->
                        audit(target("x", localhost, "&authMechanism=PLAIN")).run())
                .isInstanceOf(AuditException.class)
                .hasMessageContaining("can only do SCRAM, not PLAIN");
    }
}
