package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.proxy.TargetUri;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.scram.ScramClient;
import dev.semel.wire.scram.ScramHash;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Authenticates a probe with the user and password of the connection string. */
final class Login {
    private static final byte GENERIC = 0;
    private static final int ROUNDS_MAX = 3;

    private final Probe probe;
    private final String user;
    private final String password;
    private final String source;

    private Login(Probe probe, String user, String password, String source) {
        this.probe = probe;
        this.user = user;
        this.password = password;
        this.source = source;
    }

    /** Does nothing if the connection string has no user. */
    static void through(Probe probe, TargetUri target) throws IOException {
        Optional<String> user = target.user();
        if (user.isPresent()) {
            Login login = new Login(probe, user.get(), target.password(), target.authenticationSource());
            try {
                login.run(target.option("authMechanism"));
            } catch (IOException | IllegalArgumentException | IllegalStateException e) {
                throw new IOException(
                        "cannot log in as " + user.get() + " of " + login.source + ": " + e.getMessage(), e);
            }
        }
    }

    private void run(Optional<String> wanted) throws IOException {
        ScramHash hash = wanted.isPresent() ? named(wanted.get()) : offered();
        ScramClient scram = new ScramClient(hash, user, password);
        RawDocument reply = probe.run(
                source,
                new BsonWriter()
                        .put("saslStart", 1)
                        .put("mechanism", hash.mechanism())
                        .put("payload", new Value.Binary(GENERIC, scram.first()))
                        .finish());
        Value conversation = field(reply, "conversationId");
        reply = next(conversation, scram.proof(payload(reply)));
        scram.verify(payload(reply));
        for (int round = 0; !Value.TRUE.equals(reply.get("done")); round++) {
            if (round == ROUNDS_MAX) {
                throw new IOException("the conversation does not end");
            }
            reply = next(conversation, new byte[0]);
        }
    }

    private static ScramHash named(String mechanism) throws IOException {
        return ScramHash.named(mechanism)
                .orElseThrow(() -> new IOException("the audit itself can only do SCRAM, not " + mechanism));
    }

    private ScramHash offered() throws IOException {
        RawDocument hello = probe.run(
                "admin",
                new BsonWriter()
                        .put("hello", 1)
                        .put("saslSupportedMechs", source + "." + user)
                        .finish());
        if (hello.get("saslSupportedMechs") instanceof Value.Array(RawDocument mechanisms)) {
            for (var each : mechanisms) {
                if (each.value() instanceof Value.Str(var name)
                        && name.toString().equals("SCRAM-SHA-256")) {
                    return ScramHash.SHA_256;
                }
            }
        }
        return ScramHash.SHA_1;
    }

    private RawDocument next(Value conversation, byte[] payload) throws IOException {
        return probe.run(
                source,
                new BsonWriter()
                        .put("saslContinue", 1)
                        .put("conversationId", conversation)
                        .put("payload", new Value.Binary(GENERIC, payload))
                        .finish());
    }

    private static byte[] payload(RawDocument reply) throws IOException {
        if (field(reply, "payload") instanceof Value.Binary(byte subtype, byte[] bytes) && subtype == GENERIC) {
            return bytes;
        }
        throw new IOException("the reply has no payload");
    }

    private static Value field(RawDocument reply, String name) throws IOException {
        @Nullable Value value = reply.get(name);
        if (value == null) {
            throw new IOException("the reply has no " + name);
        }
        return value;
    }
}
