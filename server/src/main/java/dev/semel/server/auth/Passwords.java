package dev.semel.server.auth;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.scram.ScramHash;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/** Creates credentials: from passwords, and unusable ones for users who do not exist. */
public final class Passwords {
    private static final int SECRET_BYTES = 32;

    private final ToIntFunction<ScramHash> iterations;
    private final Consumer<byte[]> random;
    private final byte[] secret;

    /** The iterations may change meanwhile; {@code random} fills with random bytes. */
    public Passwords(ToIntFunction<ScramHash> iterations, Consumer<byte[]> random) {
        this.iterations = iterations;
        this.random = random;
        this.secret = random(SECRET_BYTES);
    }

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        random.accept(bytes);
        return bytes;
    }

    /** Credentials for each of the mechanisms. */
    public Map<ScramHash, Credential> credentials(UserName user, String password, Collection<ScramHash> hashes) {
        Map<ScramHash, Credential> credentials = new EnumMap<>(ScramHash.class);
        for (ScramHash hash : hashes) {
            credentials.put(hash, credential(user, password, hash));
        }
        return credentials;
    }

    private Credential credential(UserName user, String password, ScramHash hash) {
        String prepared;
        try {
            prepared = hash.prepared(user.name(), password);
        } catch (IllegalArgumentException e) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "Could not digest the password of user '%s': %s",
                    user,
                    String.valueOf(e.getMessage()));
        }
        return Credential.of(hash, prepared, random(hash.saltBytes()), iterations.applyAsInt(hash));
    }

    /** For a user who does not exist: always the same salt, so that repeating reveals nothing; no password fits the keys. */
    Credential nobodys(UserName user, ScramHash hash) {
        byte[] salt = new byte[hash.saltBytes()];
        byte[] derived = hash.mac(secret, user.id().getBytes(StandardCharsets.UTF_8));
        System.arraycopy(derived, 0, salt, 0, salt.length);
        return new Credential(iterations.applyAsInt(hash), salt, random(hash.bytes()), random(hash.bytes()));
    }

    /** A nonce's second half. */
    byte[] nonce() {
        return random(SECRET_BYTES);
    }
}
