package dev.semel.server.commands;

import dev.semel.server.auth.AuthenticationFailure;
import dev.semel.server.auth.Identity;
import dev.semel.server.auth.Passwords;
import dev.semel.server.auth.ScramConversation;
import dev.semel.server.auth.User;
import dev.semel.server.auth.UserName;
import dev.semel.server.auth.Users;
import dev.semel.server.command.Client;
import dev.semel.server.status.Log;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import dev.semel.wire.scram.ScramHash;
import org.jspecify.annotations.Nullable;

/** How clients authenticate: by the commands {@code saslStart} and {@code saslContinue}, or within {@code hello}. */
final class Login {
    private static final ErrorCode ALREADY_SOMEBODY_ELSE = ErrorCode.location(5626701);
    private static final byte GENERIC_SUBTYPE = 0;

    /** A client has one proof under way; the number only keeps answers to an earlier one apart. */
    private static final int FIRST_CONVERSATION = 1;

    private final Users users;
    private final Passwords passwords;
    private final Log log;

    Login(Users users, Passwords passwords, Log log) {
        this.users = users;
        this.passwords = passwords;
        this.log = log;
    }

    /** The first message; the answer's fields go into a document that is open. */
    void start(SaslStartArgs args, Client client, BsonWriter reply) {
        ScramHash hash = ScramHash.named(args.mechanism())
                .orElseThrow(() -> new CommandException(
                        ErrorCode.MechanismUnavailable,
                        "Received authentication for mechanism %s which is unknown or not enabled",
                        args.mechanism()));
        ScramConversation before = client.conversation();
        int id = before == null ? FIRST_CONVERSATION : before.id() + 1;
        client.conversation(new ScramConversation(id, hash, args.database(), args.skipsEmptyExchange(), passwords));
        proceed(id, args.payload(), client, reply);
    }

    void proceed(long conversationId, byte[] payload, Client client, BsonWriter reply) {
        ScramConversation conversation = client.conversation();
        if (conversation == null) {
            throw new CommandException(ErrorCode.ProtocolError, "No SASL session state found");
        }
        if (conversation.id() != conversationId) {
            throw new CommandException(ErrorCode.ProtocolError, "sasl: Mismatched conversation id");
        }
        ScramConversation.Step step;
        try {
            step = conversation.next(payload, users);
        } catch (AuthenticationFailure e) {
            client.conversation(null);
            throw failed(e.getMessage(), client);
        }
        if (step.done()) {
            client.conversation(null);
            welcome(conversation.user(), client);
        }
        reply.put("conversationId", conversation.id())
                .put("done", step.done())
                .put("payload", new Value.Binary(GENERIC_SUBTYPE, step.payload()));
    }

    /** By the certificate that the connection was made with. */
    void certificate(CertificateArgs args, Client client, BsonWriter reply) {
        String subject = client.certificateSubject();
        if (subject == null) {
            throw failed("the client has shown no certificate", client);
        }
        User user = users.find(new UserName(subject, UserName.EXTERNAL));
        if (user == null || (args.user() != null && !args.user().equals(subject))) {
            throw failed("the certificate is not that of a user: " + subject, client);
        }
        welcome(user, client);
        reply.put("dbname", UserName.EXTERNAL).put("user", subject);
    }

    private void welcome(User user, Client client) {
        Identity before = client.identity();
        if (before != null && !before.name().equals(user.name())) {
            throw new CommandException(
                    ALREADY_SOMEBODY_ELSE,
                    "Each client connection may only be authenticated once. Previously authenticated as: %s",
                    before.name());
        }
        client.identity(users.identity(user));
        log.debug(
                Log.Component.ACCESS,
                client.description(),
                "Authentication succeeded",
                new BsonWriter()
                        .put("user", user.name().toString())
                        .put("remote", client.remote())
                        .finish());
    }

    /** The client learns nothing but that; why is in the log. */
    private CommandException failed(@Nullable String why, Client client) {
        log.info(
                Log.Component.ACCESS,
                client.description(),
                "Authentication failed",
                new BsonWriter()
                        .put("remote", client.remote())
                        .put("error", String.valueOf(why))
                        .finish());
        return new CommandException(ErrorCode.AuthenticationFailed, "Authentication failed.");
    }
}
