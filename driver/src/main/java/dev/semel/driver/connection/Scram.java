package dev.semel.driver.connection;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** The client's half of SCRAM (RFC 5802, RFC 7677): both sides prove that they know the password, and nobody says it. */
final class Scram {
    enum Hash {
        SHA_1("SCRAM-SHA-1", "SHA-1", "HmacSHA1", "PBKDF2WithHmacSHA1", 160),
        SHA_256("SCRAM-SHA-256", "SHA-256", "HmacSHA256", "PBKDF2WithHmacSHA256", 256);

        private final String mechanism;
        private final String digest;
        private final String mac;
        private final String derivation;
        private final int bits;

        Hash(String mechanism, String digest, String mac, String derivation, int bits) {
            this.mechanism = mechanism;
            this.digest = digest;
            this.mac = mac;
            this.derivation = derivation;
            this.bits = bits;
        }

        String mechanism() {
            return mechanism;
        }
    }

    private static final String CHANNEL = "n,,";
    private static final int NONCE_BYTES = 24;

    /** A server that asks for fewer rounds wants the password guessed. */
    private static final int ITERATIONS_MIN = 4096;

    private final Hash hash;
    private final String user;
    private final String password;
    private final String nonce;
    private byte[] serverSignature = new byte[0];

    Scram(Hash hash, String user, String password) {
        this(hash, user, password, randomNonce());
    }

    Scram(Hash hash, String user, String password, String nonce) {
        this.hash = hash;
        this.user = user.replace("=", "=3D").replace(",", "=2C");
        this.password = hash == Hash.SHA_1 ? legacyDigest(user, password) : prepared(password);
        this.nonce = nonce;
    }

    byte[] first() {
        return bytes(CHANNEL + firstBare());
    }

    private String firstBare() {
        return "n=" + user + ",r=" + nonce;
    }

    /** The answer to the server's challenge. */
    byte[] proof(byte[] challenge) {
        String text = new String(challenge, StandardCharsets.UTF_8);
        Map<String, String> parts = parts(text);
        String fullNonce = parts.getOrDefault("r", "");
        int iterations = Integer.parseInt(parts.getOrDefault("i", "0"));
        if (!fullNonce.startsWith(nonce) || fullNonce.length() == nonce.length()) {
            throw new IllegalStateException("The server answered with a nonce that is not ours");
        }
        if (iterations < ITERATIONS_MIN) {
            throw new IllegalStateException("The server asks for only " + iterations + " iterations");
        }
        String withoutProof = "c=" + encode(bytes(CHANNEL)) + ",r=" + fullNonce;
        byte[] signed = bytes(firstBare() + "," + text + "," + withoutProof);
        try {
            byte[] salted = salted(Base64.getDecoder().decode(parts.getOrDefault("s", "")), iterations);
            byte[] clientKey = mac(salted, bytes("Client Key"));
            byte[] storedKey = MessageDigest.getInstance(hash.digest).digest(clientKey);
            byte[] proof = mac(storedKey, signed);
            for (int i = 0; i < proof.length; i++) {
                proof[i] ^= clientKey[i];
            }
            serverSignature = mac(mac(salted, bytes("Server Key")), signed);
            return bytes(withoutProof + ",p=" + encode(proof));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime cannot do " + hash.mechanism, e);
        }
    }

    /** Checks that the server knows the password too. */
    void verify(byte[] last) {
        Map<String, String> parts = parts(new String(last, StandardCharsets.UTF_8));
        byte[] claimed = Base64.getDecoder().decode(parts.getOrDefault("v", ""));
        if (serverSignature.length == 0 || !MessageDigest.isEqual(serverSignature, claimed)) {
            throw new IllegalStateException("The server could not prove that it knows the password");
        }
    }

    private byte[] salted(byte[] salt, int iterations) throws GeneralSecurityException {
        var spec = new PBEKeySpec(password.toCharArray(), salt, iterations, hash.bits);
        return SecretKeyFactory.getInstance(hash.derivation)
                .generateSecret(spec)
                .getEncoded();
    }

    private byte[] mac(byte[] key, byte[] data) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(hash.mac);
        mac.init(new SecretKeySpec(key, hash.mac));
        return mac.doFinal(data);
    }

    private static Map<String, String> parts(String message) {
        Map<String, String> result = new HashMap<>();
        for (String each : message.split(",", -1)) {
            if (each.length() > 2 && each.charAt(1) == '=') {
                result.put(each.substring(0, 1), each.substring(2));
            }
        }
        return result;
    }

    // Passwords of SCRAM-SHA-1 users are stored as the digest that an older mechanism used.
    private static String legacyDigest(String user, String password) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(bytes(user + ":mongo:" + password));
            return HexFormat.of().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime cannot do MD5", e);
        }
    }

    /** SASLprep: different ways to type the same characters give the same password. */
    static String prepared(String password) {
        var mapped = new StringBuilder();
        password.codePoints().forEach(each -> {
            if (Character.getType(each) == Character.SPACE_SEPARATOR) {
                mapped.append(' ');
            } else if (!isMappedToNothing(each)) {
                mapped.appendCodePoint(each);
            }
        });
        String normal = Normalizer.normalize(mapped, Normalizer.Form.NFKC);
        if (normal.codePoints().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The password contains a control character");
        }
        return normal;
    }

    // Table B.1 of RFC 3454.
    private static boolean isMappedToNothing(int character) {
        return character == 0x00AD
                || character == 0x034F
                || character == 0x1806
                || (character >= 0x180B && character <= 0x180D)
                || (character >= 0x200B && character <= 0x200D)
                || character == 0x2060
                || (character >= 0xFE00 && character <= 0xFE0F)
                || character == 0xFEFF;
    }

    private static String randomNonce() {
        byte[] random = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(random);
        return encode(random);
    }

    private static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
