package dev.semel.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that all members of a set have. It identifies members: each makes its own key pair at each start,
 * and a certificate whose name is an HMAC of the public key, which needs the secret. TLS proves that the
 * other side has the private key, and the HMAC that it has the secret.
 */
final class KeyFile {
    private static final int CHARACTERS_MIN = 6;
    private static final int CHARACTERS_MAX = 1_024;

    /** More than the longest key with a line break after each character. */
    private static final long FILE_BYTES_MAX = 8 << 10;

    private static final Pattern BASE_64 = Pattern.compile("[A-Za-z0-9+/]*={0,2}");

    /**
     * Anyone who can reach the port sees an HMAC, against which secrets can be tried: each attempt must be expensive.
     */
    private static final int ITERATIONS = 100_000;

    private static final int CODE_KEY_BITS = 256;
    private static final byte[] SALT = "semel members 1".getBytes(StandardCharsets.US_ASCII);
    private static final String CODE = "HmacSHA256";

    private final SecretKeySpec codeKey;

    private KeyFile(SecretKeySpec codeKey) {
        this.codeKey = codeKey;
    }

    /** By mongod's rules. Whatever is wrong with the file is an {@link IOException} that names it. */
    static KeyFile read(Path file) throws IOException {
        String secret;
        try {
            refuseOthers(file);
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw unusable(file, "is too long for one");
            }
            secret = Files.readString(file, StandardCharsets.ISO_8859_1).replaceAll("\\s", "");
        } catch (NoSuchFileException e) {
            throw new IOException("there is no key file " + file, e);
        }
        if (!BASE_64.matcher(secret).matches()) {
            throw unusable(file, "has other characters than base 64");
        }
        if (secret.length() < CHARACTERS_MIN || secret.length() > CHARACTERS_MAX) {
            throw unusable(file, "has " + secret.length() + " characters");
        }
        return new KeyFile(derived(secret));
    }

    private static void refuseOthers(Path file) throws IOException {
        if (Files.getFileAttributeView(file, PosixFileAttributeView.class) == null) {
            return;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.stream().anyMatch(each -> !each.name().startsWith("OWNER"))) {
            throw new IOException("the key file %s is open to other users (%s): run chmod 600 %s"
                    .formatted(file, PosixFilePermissions.toString(permissions), file));
        }
    }

    private static IOException unusable(Path file, String why) {
        return new IOException(
                "the key file %s %s: it takes %d to %d characters of base 64, as 'openssl rand -base64 756' makes them"
                        .formatted(file, why, CHARACTERS_MIN, CHARACTERS_MAX));
    }

    private static SecretKeySpec derived(String secret) {
        try {
            PBEKeySpec password = new PBEKeySpec(secret.toCharArray(), SALT, ITERATIONS, CODE_KEY_BITS);
            return new SecretKeySpec(
                    SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                            .generateSecret(password)
                            .getEncoded(),
                    CODE);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }

    /** Of a key pair that is made here and kept nowhere. */
    MemberSecurity security() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            return new MemberSecurity(
                    new OneKey(pair.getPrivate(), SelfSigned.certificate(pair, code(pair.getPublic()))),
                    new SameKey(this));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }

    /** The HMAC of a public key, which needs the secret. */
    String code(PublicKey key) {
        try {
            Mac mac = Mac.getInstance(CODE);
            mac.init(codeKey);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(key.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }
}
