package dev.semel.server.auth;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.scram.ScramHash;
import dev.semel.wire.scram.ScramMessage;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What the server keeps of a password for one mechanism: enough to recognise it, not enough to use it elsewhere.
 *
 * @param storedKey the hash of the key with which the client signs
 * @param serverKey with which the server signs
 */
public record Credential(int iterations, byte[] salt, byte[] storedKey, byte[] serverKey) {

    /** Fails with an {@link IllegalArgumentException} if the password has a character that passwords cannot have. */
    static Credential of(ScramHash hash, String prepared, byte[] salt, int iterations) {
        byte[] salted = hash.salted(prepared, salt, iterations);
        return new Credential(iterations, salt, hash.hash(hash.clientKey(salted)), hash.serverKey(salted));
    }

    /** Null if it is not what {@link #writeTo} has written. */
    static @Nullable Credential parse(RawDocument stored) {
        byte[] salt = bytes(stored, "salt");
        byte[] storedKey = bytes(stored, "storedKey");
        byte[] serverKey = bytes(stored, "serverKey");
        if (!(stored.get("iterationCount") instanceof Value.Int32(int iterations))
                || salt == null
                || storedKey == null
                || serverKey == null) {
            return null;
        }
        return new Credential(iterations, salt, storedKey, serverKey);
    }

    private static byte @Nullable [] bytes(RawDocument stored, String field) {
        if (!(stored.get(field) instanceof Value.Str(var text))) {
            return null;
        }
        try {
            return Base64.getDecoder().decode(text.toString());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    void writeTo(BsonWriter out) {
        out.put("iterationCount", iterations)
                .put("salt", ScramMessage.encoded(salt))
                .put("storedKey", ScramMessage.encoded(storedKey))
                .put("serverKey", ScramMessage.encoded(serverKey));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Credential that
                && iterations == that.iterations
                && Arrays.equals(salt, that.salt)
                && Arrays.equals(storedKey, that.storedKey)
                && Arrays.equals(serverKey, that.serverKey);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(storedKey);
    }

    /** Without what must not be shown. */
    @Override
    public String toString() {
        return "credential of " + iterations + " iterations";
    }
}
