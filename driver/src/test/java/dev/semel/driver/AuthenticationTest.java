package dev.semel.driver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoSecurityException;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.MongoCredential;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.wire.scram.ScramHash;
import dev.semel.wire.scram.ScramMessage;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a client proves who it is, word by word. */
class AuthenticationTest {
    private static final String DONE = "{ok: 1, n: 1}";

    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = new RecordingServer();
        greet("");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void greet(String more) {
        server.greet(RecordingServer.common(more + "isWritablePrimary: true"));
    }

    private MongoClient open(MongoCredential credential) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                .credential(credential)
                .build());
    }

    private static void ping(MongoClient client) {
        client.getDatabase("db").runCommand(new Document("ping", 1));
    }

    private void logIn(MongoCredential credential) {
        try (var client = open(credential)) {
            ping(client);
        }
    }

    private static String payload(BsonDocument command) {
        return new String(command.getBinary("payload").getData(), UTF_8);
    }

    private static String reply(String payload, boolean isDone) {
        return new BsonDocument()
                .append("ok", new BsonInt32(1))
                .append("conversationId", new BsonInt32(1))
                .append("payload", new BsonBinary(payload.getBytes(UTF_8)))
                .append("done", BsonBoolean.valueOf(isDone))
                .toJson();
    }

    @Test
    void plainSendsNameAndPasswordToTheExternalDatabase() {
        server.answer((command, count) -> command.containsKey("saslStart") ? reply("", true) : DONE);
        logIn(MongoCredential.createPlainCredential("ann", "$external", "wörd"));
        assertThat(server.commands("saslStart")).singleElement().satisfies(each -> {
            assertThat(each.getString("mechanism").getValue()).isEqualTo("PLAIN");
            assertThat(each.getString("$db").getValue()).isEqualTo("$external");
            assertThat(payload(each)).isEqualTo("\0ann\0wörd");
        });
        assertThat(server.hellos())
                .noneMatch(
                        each -> each.containsKey("speculativeAuthenticate") || each.containsKey("saslSupportedMechs"));
    }

    @Test
    void refusedPasswordIsAnErrorOfSecurity() {
        server.answer((command, count) ->
                command.containsKey("saslStart") ? "{ok: 0, code: 18, errmsg: 'Authentication failed.'}" : DONE);
        assertThatThrownBy(() -> logIn(MongoCredential.createPlainCredential("ann", "$external", "word")))
                .isInstanceOf(MongoSecurityException.class)
                .hasMessageContaining("Authentication failed.")
                .satisfies(e -> assertThat(e.toString()).doesNotContain("word"));
    }

    /** AUTHP-5, with a certificate: a server that does not take what came with the hello is asked again. */
    @ParameterizedTest
    @CsvSource({"true, ", "false, ", "true, CN=ann", "false, CN=ann"})
    void speculativeAuthenticationWithCertificateFallsBack(boolean isTaken, String user) {
        if (isTaken) {
            greet("speculativeAuthenticate: {user: 'CN=ann'}, ");
        }
        server.answer((command, count) -> DONE);
        logIn(MongoCredential.createMongoX509Credential(user));

        var expected =
                new BsonDocument("authenticate", new BsonInt32(1)).append("mechanism", new BsonString("MONGODB-X509"));
        if (user != null) {
            expected.append("user", new BsonString(user));
        }
        BsonDocument offered = server.hellos().stream()
                .filter(each -> each.containsKey("speculativeAuthenticate"))
                .findFirst()
                .orElseThrow()
                .getDocument("speculativeAuthenticate");
        assertThat(offered).isEqualTo(expected.clone().append("db", new BsonString("$external")));
        assertThat(server.commands("authenticate"))
                .hasSize(isTaken ? 0 : 1)
                .allSatisfy(each ->
                        assertThat(each).isEqualTo(expected.clone().append("$db", new BsonString("$external"))));
    }

    /** AUTHP-1 in part, AUTHP-5: the best mechanism that the user has, or the old one where the server says nothing. */
    @ParameterizedTest
    @CsvSource({
        "'SCRAM-SHA-1,SCRAM-SHA-256', SCRAM-SHA-256",
        "'SCRAM-SHA-256', SCRAM-SHA-256",
        "'SCRAM-SHA-1', SCRAM-SHA-1",
        ", SCRAM-SHA-1",
    })
    void mechanismIsNegotiated(String offered, String taken) {
        if (offered != null) {
            greet("saslSupportedMechs: ['" + offered.replace(",", "', '") + "'], ");
        }
        server.answer((command, count) -> command.containsKey("saslStart") ? "{ok: 0, code: 18, errmsg: 'no'}" : DONE);
        assertThatThrownBy(() -> logIn(MongoCredential.createCredential("ann", "db", "word")))
                .isInstanceOf(MongoSecurityException.class);
        assertThat(server.commands("saslStart"))
                .singleElement()
                .satisfies(each ->
                        assertThat(each.getString("mechanism").getValue()).isEqualTo(taken));
        assertThat(server.hellos())
                .anySatisfy(each -> assertThat(each.get("saslSupportedMechs")).isEqualTo(new BsonString("db.ann")));
    }

    /** The server's side of a conversation. */
    private static final class Conversation {
        private static final String SALT = "QSXCR+Q6sek8bf92";

        private final String password;
        private final int iterations;
        private final boolean isShort;
        private String first = "";
        private String challenge = "";

        Conversation(String password, int iterations, boolean isShort) {
            this.password = password;
            this.iterations = iterations;
            this.isShort = isShort;
        }

        String answer(BsonDocument command) {
            if (command.containsKey("saslStart")) {
                first = payload(command).substring("n,,".length());
                String nonce = first.substring(first.indexOf("r=") + 2);
                challenge = "r=" + nonce + "more,s=" + SALT + ",i=" + iterations;
                return reply(challenge, false);
            }
            if (!command.containsKey("saslContinue")) {
                return DONE;
            }
            String proof = payload(command);
            if (proof.isEmpty()) {
                return reply("", true);
            }
            ScramHash hash = ScramHash.SHA_256;
            String signed = first + "," + challenge + "," + proof.substring(0, proof.indexOf(",p="));
            byte[] salted = hash.salted(
                    hash.prepared("ann", password),
                    ScramMessage.of(challenge.getBytes(UTF_8)).decoded("s"),
                    iterations);
            byte[] signature = hash.mac(hash.serverKey(salted), signed.getBytes(UTF_8));
            return reply("v=" + ScramMessage.encoded(signature), isShort);
        }
    }

    private void converse(Conversation conversation) {
        server.answer((command, count) -> conversation.answer(command));
        logIn(MongoCredential.createScramSha256Credential("ann", "admin", "word"));
    }

    /** AUTHP-7. */
    @ParameterizedTest
    @CsvSource({"true, 1", "false, 2"})
    void conversationMayEndWithAnEmptyMessageOrWithout(boolean isShort, int messages) {
        converse(new Conversation("word", 4096, isShort));
        assertThat(server.commands("saslStart"))
                .allSatisfy(each -> assertThat(each.getDocument("options")
                                .getBoolean("skipEmptyExchange")
                                .getValue())
                        .isTrue());
        assertThat(server.commands("saslContinue")).hasSize(messages);
        assertThat(server.commands("ping")).hasSize(1);
    }

    /** AUTHP-6. */
    @Test
    void serverThatWantsFewIterationsIsNotAnswered() {
        assertThatThrownBy(() -> converse(new Conversation("word", 4095, true)))
                .isInstanceOf(MongoSecurityException.class)
                .hasMessageEndingWith("The server asks for only 4095 iterations");
        assertThat(server.commands("saslContinue")).isEmpty();
    }

    @Test
    void serverThatDoesNotKnowThePasswordIsNotTrusted() {
        assertThatThrownBy(() -> converse(new Conversation("another", 4096, true)))
                .isInstanceOf(MongoSecurityException.class)
                .hasMessageEndingWith("The server could not prove that it knows the password");
        assertThat(server.commands("ping")).isEmpty();
    }

    // ---- with a server that knows its users

    private static Server guarded() throws IOException {
        Server server = Server.start(ServerOptions.memory().accessControl().user("root", "word", "root"));
        try (var client = at(server, MongoCredential.createCredential("root", "admin", "word"))) {
            var users = Map.of(
                    "sha1", List.of("SCRAM-SHA-1"),
                    "sha256", List.of("SCRAM-SHA-256"),
                    "both", List.of("SCRAM-SHA-1", "SCRAM-SHA-256"));
            users.forEach((name, mechanisms) -> create(client, name, name, mechanisms));
            create(client, "IX", "IX", List.of("SCRAM-SHA-256"));
            create(client, "\u2168", "\u2163", List.of("SCRAM-SHA-256"));
        }
        return server;
    }

    private static void create(MongoClient client, String name, String password, List<String> mechanisms) {
        client.getDatabase("admin")
                .runCommand(new Document("createUser", name)
                        .append("pwd", password)
                        .append("roles", List.of("root"))
                        .append("mechanisms", mechanisms));
    }

    private static MongoClient at(Server server, MongoCredential credential) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.connectionString()))
                .credential(credential)
                .build());
    }

    private static void work(Server server, MongoCredential credential) {
        try (var client = at(server, credential)) {
            client.getDatabase("db").runCommand(new Document("dbStats", 1));
        }
    }

    /** AUTHP-1, AUTHP-2, AUTHP-3. */
    @Test
    void usersLogInByTheMechanismsTheyHaveAndByNoOther() throws IOException {
        try (Server guarded = guarded()) {
            for (String user : List.of("sha1", "sha256", "both")) {
                work(guarded, MongoCredential.createCredential(user, "admin", user));
                var bySha1 = MongoCredential.createScramSha1Credential(user, "admin", user);
                var bySha256 = MongoCredential.createScramSha256Credential(user, "admin", user);
                if (user.equals("sha256")) {
                    assertRefused(guarded, bySha1);
                } else {
                    work(guarded, bySha1);
                }
                if (user.equals("sha1")) {
                    assertRefused(guarded, bySha256);
                } else {
                    work(guarded, bySha256);
                }
            }
            assertRefused(guarded, MongoCredential.createCredential("nobody", "admin", "word"));
            assertRefused(guarded, MongoCredential.createCredential("both", "admin", "word"));
        }
    }

    /** AUTHP-4: passwords that are written differently and mean the same, given in code and in a connection string. */
    @ParameterizedTest
    @ValueSource(strings = {"IX IX", "IX I\u00ADX", "\u2168 IV", "\u2168 I\u00ADV"})
    void passwordsArePrepared(String userAndPassword) throws IOException {
        String user = userAndPassword.substring(0, userAndPassword.indexOf(' '));
        String password = userAndPassword.substring(user.length() + 1);
        try (Server guarded = guarded()) {
            work(guarded, MongoCredential.createScramSha256Credential(user, "admin", password));
            String encoded = URLEncoder.encode(user, UTF_8) + ":" + URLEncoder.encode(password, UTF_8);
            assertThatCode(() -> {
                        try (var client = MongoClients.create(
                                guarded.connectionString().replace("mongodb://", "mongodb://" + encoded + "@"))) {
                            client.getDatabase("db").runCommand(new Document("dbStats", 1));
                        }
                    })
                    .doesNotThrowAnyException();
        }
    }

    private static void assertRefused(Server server, MongoCredential credential) {
        assertThatThrownBy(() -> work(server, credential))
                .isInstanceOf(MongoSecurityException.class)
                .hasMessageContaining("Authentication failed.")
                .cause()
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(18));
    }
}
