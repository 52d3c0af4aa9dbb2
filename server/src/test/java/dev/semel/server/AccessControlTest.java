package dev.semel.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.semel.server.command.Rights;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Access control as the official driver meets it. */
class AccessControlTest {
    enum Mechanism {
        NEGOTIATED,
        SHA_1,
        SHA_256;

        MongoCredential credential(String user, String password) {
            return switch (this) {
                case NEGOTIATED -> MongoCredential.createCredential(user, "admin", password.toCharArray());
                case SHA_1 -> MongoCredential.createScramSha1Credential(user, "admin", password.toCharArray());
                case SHA_256 -> MongoCredential.createScramSha256Credential(user, "admin", password.toCharArray());
            };
        }
    }

    private static MongoClient client(Server server, @Nullable MongoCredential credential) {
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.connectionString()))
                .applyToClusterSettings(each -> each.serverSelectionTimeout(10, TimeUnit.SECONDS));
        return MongoClients.create(
                credential == null
                        ? settings.build()
                        : settings.credential(credential).build());
    }

    private static ServerOptions options() {
        // A name and a password whose characters mean something in the protocol, or are written in several ways.
        return ServerOptions.memory().accessControl().user("a,n=n", "\u2168 pass\u00ADword", "root");
    }

    @ParameterizedTest
    @EnumSource
    void driverLogsInAndConnectionStatusShowsItsUser(Mechanism mechanism) throws IOException {
        try (Server server = Server.start(options());
                MongoClient client = client(
                        server,
                        mechanism.credential(
                                "a,n=n", mechanism == Mechanism.SHA_1 ? "\u2168 pass\u00ADword" : "IX password"))) {
            MongoCollection<Document> collection = client.getDatabase("db").getCollection("c");
            collection.insertOne(new Document("_id", 1));
            try (ClientSession session = client.startSession()) {
                session.withTransaction(() -> collection.insertOne(session, new Document("_id", 2)));
            }
            assertThat(collection.countDocuments()).isEqualTo(2);
            Document status = client.getDatabase("admin").runCommand(new Document("connectionStatus", 1));
            assertThat(status.get("authInfo", Document.class).getList("authenticatedUsers", Document.class))
                    .containsExactly(new Document("user", "a,n=n").append("db", "admin"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void wrongPasswordIsRefused(Mechanism mechanism) throws IOException {
        try (Server server = Server.start(options());
                MongoClient client = client(server, mechanism.credential("a,n=n", "wrong"))) {
            assertThatThrownBy(() -> client.getDatabase("db").getCollection("c").countDocuments())
                    .isInstanceOf(MongoSecurityException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(18));
        }
    }

    @Test
    void unauthenticatedClientIsRefused() throws IOException {
        try (Server server = Server.start(options());
                MongoClient client = client(server, null)) {
            assertThatThrownBy(() -> client.getDatabase("db").getCollection("c").insertOne(new Document()))
                    .hasMessageContaining("Command insert requires authentication");
            client.getDatabase("db").runCommand(new Document("ping", 1));
        }
    }

    @Test
    void usersOutliveTheServer(@TempDir Path folder) throws IOException {
        ServerOptions options = ServerOptions.directory(folder).accessControl();
        MongoCredential credential = Mechanism.NEGOTIATED.credential("ann", "pencil");
        try (Server server = Server.start(options);
                MongoClient stranger = client(server, null)) {
            // By the exception for the first.
            stranger.getDatabase("admin")
                    .runCommand(new Document("createUser", "ann")
                            .append("pwd", "pencil")
                            .append("roles", List.of("root")));
            assertThatThrownBy(() -> stranger.getDatabase("admin")
                            .runCommand(new Document("createUser", "eve")
                                    .append("pwd", "x")
                                    .append("roles", List.of("root"))))
                    .hasMessageContaining("requires authentication");
        }
        try (Server server = Server.start(options);
                MongoClient client = client(server, credential);
                MongoClient stranger = client(server, null)) {
            client.getDatabase("db").getCollection("c").insertOne(new Document());
            assertThatThrownBy(() -> stranger.getDatabase("admin")
                            .runCommand(new Document("createUser", "eve")
                                    .append("pwd", "x")
                                    .append("roles", List.of("root"))))
                    .hasMessageContaining("requires authentication");
        }
    }

    /** Who may know which users there are might learn it from what the server asks. */
    @Test
    void unknownUserIsAskedLikeAnyOther() throws IOException {
        try (Server server = Server.start(options().inProcess());
                LocalConnection connection = server.connectAsClient()) {
            String first = challenge(connection, "nobody");
            assertThat(first).isEqualTo(challenge(connection, "nobody")).isNotEqualTo(challenge(connection, "no"));
            assertThat(first).matches("s=[A-Za-z0-9+/]{37,38}={1,2},i=15000");
        }
    }

    private static String challenge(LocalConnection connection, String user) {
        RawDocument reply = connection.run(new BsonWriter()
                .put("saslStart", 1)
                .put("mechanism", "SCRAM-SHA-256")
                .put("payload", new Value.Binary((byte) 0, ("n,,n=" + user + ",r=abc").getBytes(US_ASCII)))
                .put("$db", "admin")
                .finish());
        String text = reply.get("payload") instanceof Value.Binary(byte subtype, byte[] bytes)
                ? new String(bytes, US_ASCII)
                : "";
        return text.replaceFirst("r=[^,]*,", "");
    }

    /** A command that says nothing of what it needs is nobody's; it must not be forgotten in silence. */
    @Test
    void everyCommandSaysWhatItNeeds() throws IOException {
        try (Server server = Server.start(ServerOptions.memory().inProcess())) {
            assertThat(server.commands().entries())
                    .filteredOn(each -> each.spec().rights().equals(Rights.UNDECLARED))
                    .isEmpty();
        }
    }
}
