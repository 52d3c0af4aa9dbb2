package dev.semel.server;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.scram.ScramHash;
import dev.semel.wire.scram.ScramMessage;
import java.nio.charset.StandardCharsets;

/** The client's half of SCRAM, for tests: everything is in the hands of the test but the arithmetic. */
final class ScramLogin {
    private static final String HEADER = "n,,";

    private final LocalConnection connection;
    private final ScramHash hash;
    private final String database;

    ScramLogin(LocalConnection connection, ScramHash hash, String database) {
        this.connection = connection;
        this.hash = hash;
        this.database = database;
    }

    /** The last reply: of the step that failed, or that said that it is done. */
    RawDocument run(String user, String password) {
        String first = "n=" + ScramMessage.escaped(user) + ",r=abcdefgh";
        RawDocument challenge = connection.run(new BsonWriter()
                .put("saslStart", 1)
                .put("mechanism", hash.mechanism())
                .put("payload", payload(HEADER + first))
                .put("$db", database)
                .finish());
        if (!challenge.has("payload")) {
            return challenge;
        }
        String answer = text(challenge);
        ScramMessage parts = ScramMessage.of(answer);
        String bare =
                "c=" + ScramMessage.encoded(HEADER.getBytes(StandardCharsets.UTF_8)) + ",r=" + parts.attribute("r");
        byte[] salted =
                hash.salted(hash.prepared(user, password), parts.decoded("s"), Integer.parseInt(parts.attribute("i")));
        byte[] clientKey = hash.clientKey(salted);
        byte[] signed = (first + "," + answer + "," + bare).getBytes(StandardCharsets.UTF_8);
        byte[] proof = ScramHash.xor(hash.mac(hash.hash(clientKey), signed), clientKey);
        RawDocument verified = proceed(challenge, bare + ",p=" + ScramMessage.encoded(proof));
        return verified.has("payload") ? proceed(challenge, "") : verified;
    }

    private RawDocument proceed(RawDocument challenge, String message) {
        Value conversation = challenge.get("conversationId");
        return connection.run(new BsonWriter()
                .put("saslContinue", 1)
                .put("conversationId", conversation == null ? Value.of(0) : conversation)
                .put("payload", payload(message))
                .put("$db", database)
                .finish());
    }

    private static Value payload(String text) {
        return new Value.Binary((byte) 0, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(RawDocument reply) {
        return reply.get("payload") instanceof Value.Binary(byte subtype, byte[] bytes)
                ? new String(bytes, StandardCharsets.UTF_8)
                : "";
    }
}
