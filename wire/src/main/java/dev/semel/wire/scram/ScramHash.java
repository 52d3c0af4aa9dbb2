package dev.semel.wire.scram;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** The hash functions with which MongoDB's clients and servers do SCRAM. */
public enum ScramHash {
    SHA_1("SCRAM-SHA-1", "SHA-1", "HmacSHA1", "PBKDF2WithHmacSHA1", 20),
    SHA_256("SCRAM-SHA-256", "SHA-256", "HmacSHA256", "PBKDF2WithHmacSHA256", 32);

    private static final byte[] CLIENT_KEY = "Client Key".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SERVER_KEY = "Server Key".getBytes(StandardCharsets.US_ASCII);

    /** A salt and the number of its block, which PBKDF2 appends, fill what the hash puts out. */
    private static final int BLOCK_NUMBER_BYTES = 4;

    private final String mechanism;
    private final String digest;
    private final String mac;
    private final String derivation;
    private final int bytes;

    ScramHash(String mechanism, String digest, String mac, String derivation, int bytes) {
        this.mechanism = mechanism;
        this.digest = digest;
        this.mac = mac;
        this.derivation = derivation;
        this.bytes = bytes;
    }

    /** As the protocol calls the mechanism, {@code SCRAM-SHA-256} for instance. */
    public String mechanism() {
        return mechanism;
    }

    public static Optional<ScramHash> named(String mechanism) {
        return Arrays.stream(values())
                .filter(each -> each.mechanism.equals(mechanism))
                .findFirst();
    }

    public int saltBytes() {
        return bytes - BLOCK_NUMBER_BYTES;
    }

    /** How long its results are. */
    public int bytes() {
        return bytes;
    }

    /**
     * What goes into the derivation instead of the password: for SHA-1 the digest that a mechanism before SCRAM stored,
     * for SHA-256 the password in its normal form, which fails with an {@link IllegalArgumentException} if it has none.
     */
    public String prepared(String user, String password) {
        return this == SHA_1 ? legacyDigest(user, password) : SaslPrep.prepare(password);
    }

    private static String legacyDigest(String user, String password) {
        byte[] text = (user + ":mongo:" + password).getBytes(StandardCharsets.UTF_8);
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime cannot do MD5", e);
        }
    }

    /** The prepared password made expensive to guess. */
    public byte[] salted(String prepared, byte[] salt, int iterations) {
        PBEKeySpec spec = new PBEKeySpec(prepared.toCharArray(), salt, iterations, bytes * Byte.SIZE);
        try {
            return SecretKeyFactory.getInstance(derivation).generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw unavailable(e);
        } finally {
            spec.clearPassword();
        }
    }

    public byte[] clientKey(byte[] salted) {
        return mac(salted, CLIENT_KEY);
    }

    public byte[] serverKey(byte[] salted) {
        return mac(salted, SERVER_KEY);
    }

    /** By which the server recognises a client's key without knowing it. */
    public byte[] hash(byte[] data) {
        try {
            return MessageDigest.getInstance(digest).digest(data);
        } catch (GeneralSecurityException e) {
            throw unavailable(e);
        }
    }

    public byte[] mac(byte[] key, byte[] data) {
        try {
            Mac code = Mac.getInstance(mac);
            code.init(new SecretKeySpec(key, mac));
            return code.doFinal(data);
        } catch (GeneralSecurityException e) {
            throw unavailable(e);
        }
    }

    /** Each byte of one combined with that of the other: a key hidden by a signature, or found again. */
    public static byte[] xor(byte[] one, byte[] other) {
        byte[] result = one.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] ^= other[i];
        }
        return result;
    }

    private IllegalStateException unavailable(GeneralSecurityException e) {
        return new IllegalStateException("This Java runtime cannot do " + mechanism, e);
    }
}
