package dev.semel.driver.connection;

import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.error.MongoSecurityException;
import dev.semel.driver.setting.AuthenticationMechanism;
import dev.semel.driver.setting.MongoCredential;
import dev.semel.driver.setting.ServerApi;
import dev.semel.wire.scram.ScramClient;
import dev.semel.wire.scram.ScramHash;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Authenticates the client; speculatively with the hello, if the mechanism supports it. */
final class Authentication {
    private static final int ROUNDS_MAX = 10;
    private static final BsonInt32 ONE = new BsonInt32(1);

    private final Connection connection;
    private final MongoCredential credential;
    private final @Nullable ServerApi api;
    private final Supplier<Deadline> deadlines;

    Authentication(
            Connection connection, MongoCredential credential, @Nullable ServerApi api, Supplier<Deadline> deadlines) {
        this.connection = connection;
        this.credential = credential;
        this.api = api;
        this.deadlines = deadlines;
    }

    /**
     * What goes into hello, so that the server can say what the user may use, and that saves a round trip if it goes well.
     * Returns what was begun, to be handed to {@link #run} with the answer; null if there is nothing to remember.
     */
    static @Nullable ScramClient offer(MongoCredential credential, BsonDocument hello) {
        String user = credential.userName();
        String password = credential.password();
        AuthenticationMechanism mechanism = credential.mechanism();
        if (mechanism == null && user != null) {
            hello.append("saslSupportedMechs", new BsonString(credential.source() + "." + user));
        }
        if (mechanism == AuthenticationMechanism.MONGODB_X509) {
            hello.append("speculativeAuthenticate", x509(credential).append("db", new BsonString(credential.source())));
        }
        if (user == null
                || password == null
                || (mechanism != null
                        && mechanism != AuthenticationMechanism.SCRAM_SHA_1
                        && mechanism != AuthenticationMechanism.SCRAM_SHA_256)) {
            return null;
        }
        try {
            var scram = new ScramClient(
                    mechanism == AuthenticationMechanism.SCRAM_SHA_1 ? ScramHash.SHA_1 : ScramHash.SHA_256,
                    user,
                    password);
            hello.append("speculativeAuthenticate", start(scram).append("db", new BsonString(credential.source())));
            return scram;
        } catch (IllegalArgumentException e) {
            // A password that cannot be used is an error of the authentication, which comes later.
            return null;
        }
    }

    private static BsonDocument start(ScramClient scram) {
        return new BsonDocument("saslStart", ONE)
                .append("mechanism", new BsonString(scram.hash().mechanism()))
                .append("payload", new BsonBinary(scram.first()))
                .append("options", new BsonDocument("skipEmptyExchange", BsonBoolean.TRUE));
    }

    void run(BsonDocument hello, @Nullable ScramClient begun) {
        try {
            if (begun != null && hello.containsKey("speculativeAuthenticate")) {
                finish(begun, hello.getDocument("speculativeAuthenticate"));
                return;
            }
            switch (mechanism(hello)) {
                case SCRAM_SHA_1 -> scram(ScramHash.SHA_1);
                case SCRAM_SHA_256 -> scram(ScramHash.SHA_256);
                case PLAIN -> plain();
                case MONGODB_X509 -> {
                    if (!hello.containsKey("speculativeAuthenticate")) {
                        send(x509(credential));
                    }
                }
                case GSSAPI, MONGODB_AWS, MONGODB_OIDC ->
                    throw new MongoConfigurationException(String.valueOf(credential.unsupported()));
            }
        } catch (MongoCommandException e) {
            throw failed(e.getErrorMessage(), e);
        } catch (IllegalStateException | IllegalArgumentException | BsonInvalidOperationException e) {
            throw failed(String.valueOf(e.getMessage()), e);
        }
    }

    private AuthenticationMechanism mechanism(BsonDocument hello) {
        AuthenticationMechanism wanted = credential.mechanism();
        if (wanted != null) {
            return wanted;
        }
        if (hello.get("saslSupportedMechs") instanceof BsonArray mechanisms
                && mechanisms.contains(new BsonString(AuthenticationMechanism.SCRAM_SHA_256.label()))) {
            return AuthenticationMechanism.SCRAM_SHA_256;
        }
        return AuthenticationMechanism.SCRAM_SHA_1;
    }

    private void scram(ScramHash hash) {
        var scram = new ScramClient(hash, user(), password());
        finish(scram, send(start(scram)));
    }

    private void finish(ScramClient scram, BsonDocument challenge) {
        BsonValue conversation = challenge.getNumber("conversationId");
        BsonDocument reply = proceed(conversation, scram.proof(payload(challenge)));
        scram.verify(payload(reply));
        for (int round = 0; !reply.getBoolean("done", BsonBoolean.FALSE).getValue(); round++) {
            if (round == ROUNDS_MAX) {
                throw failed("the conversation does not end", null);
            }
            reply = proceed(conversation, new byte[0]);
        }
    }

    private BsonDocument proceed(BsonValue conversation, byte[] payload) {
        return send(new BsonDocument("saslContinue", ONE)
                .append("conversationId", conversation)
                .append("payload", new BsonBinary(payload)));
    }

    private void plain() {
        String message = "\0" + user() + "\0" + password();
        send(new BsonDocument("saslStart", ONE)
                .append("mechanism", new BsonString(AuthenticationMechanism.PLAIN.label()))
                .append("payload", new BsonBinary(message.getBytes(StandardCharsets.UTF_8))));
    }

    private static BsonDocument x509(MongoCredential credential) {
        var command = new BsonDocument("authenticate", ONE)
                .append("mechanism", new BsonString(AuthenticationMechanism.MONGODB_X509.label()));
        String user = credential.userName();
        return user == null ? command : command.append("user", new BsonString(user));
    }

    private BsonDocument send(BsonDocument command) {
        BsonDocument reply = connection
                .exchange(new DocumentCommand(credential.source(), command, api), deadlines.get())
                .document();
        if (reply.getNumber("ok", new BsonInt32(0)).intValue() != 1) {
            throw ErrorReply.exception(reply, connection.address());
        }
        return reply;
    }

    private static byte[] payload(BsonDocument reply) {
        return reply.getBinary("payload").getData();
    }

    private String user() {
        String user = credential.userName();
        if (user == null) {
            throw failed("there is no user name", null);
        }
        return user;
    }

    private String password() {
        String password = credential.password();
        if (password == null) {
            throw failed("there is no password", null);
        }
        return password;
    }

    private MongoSecurityException failed(String why, @Nullable Throwable cause) {
        return new MongoSecurityException(
                "Exception authenticating " + credential + " at " + connection.address() + ": " + why,
                connection.address(),
                cause);
    }
}
