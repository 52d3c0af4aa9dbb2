package dev.semel.wire.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** Private keys in the forms that {@code openssl} writes. */
final class PrivateKeys {
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    /** What PKCS #8 has before the key itself, for one of RSA: version 0, and the algorithm without parameters. */
    private static final byte[] VERSION_AND_RSA = HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int LONG_FORM = 0x80;

    private PrivateKeys() {}

    static PrivateKey read(PemFile.Block block, @Nullable String password)
            throws GeneralSecurityException, IOException {
        if (block.content().contains("Proc-Type:")) {
            throw new InvalidKeySpecException(
                    "the private key is encrypted in the old form; 'openssl pkcs8 -topk8' makes one that can be read");
        }
        return switch (block.kind()) {
            case "PRIVATE KEY" -> decoded(new PKCS8EncodedKeySpec(block.bytes()));
            case "ENCRYPTED PRIVATE KEY" -> decoded(decrypted(block.bytes(), password));
            case "RSA PRIVATE KEY" -> decoded(new PKCS8EncodedKeySpec(wrapped(block.bytes())));
            default ->
                throw new InvalidKeySpecException("a key in the form '" + block.kind()
                        + "' cannot be read; 'openssl pkcs8 -topk8' makes one that can");
        };
    }

    /** A key that is another's would only show when the first client connects. */
    static void requirePair(PrivateKey own, PublicKey certified) throws GeneralSecurityException {
        boolean isPair = own.getAlgorithm().equals(certified.getAlgorithm()) && signs(own, certified);
        if (!isPair) {
            throw new InvalidKeyException("the private key does not belong to the first certificate");
        }
    }

    private static boolean signs(PrivateKey own, PublicKey certified) throws GeneralSecurityException {
        String algorithm = own.getAlgorithm();
        String scheme =
                algorithm.equals("EC") ? "SHA256withECDSA" : algorithm.equals("RSA") ? "SHA256withRSA" : algorithm;
        Signature signature = Signature.getInstance(scheme);
        signature.initSign(own);
        signature.update(VERSION_AND_RSA);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(VERSION_AND_RSA);
        return signature.verify(signed);
    }

    private static PrivateKey decoded(PKCS8EncodedKeySpec spec) throws GeneralSecurityException {
        for (String each : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(each).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                // It is a key for another of them; the form does not say which.
            }
        }
        throw new InvalidKeySpecException("the private key is for none of " + ALGORITHMS);
    }

    private static PKCS8EncodedKeySpec decrypted(byte[] bytes, @Nullable String password)
            throws GeneralSecurityException, IOException {
        if (password == null) {
            throw new InvalidKeySpecException("the private key is encrypted, and there is no password for it");
        }
        EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(bytes);
        // For PBES2 the name of the algorithm is in its parameters.
        String algorithm = info.getAlgParameters() == null
                ? info.getAlgName()
                : info.getAlgParameters().toString();
        var key = SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray()));
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(Cipher.DECRYPT_MODE, key, info.getAlgParameters());
        try {
            return info.getKeySpec(cipher);
        } catch (InvalidKeySpecException e) {
            throw new InvalidKeySpecException("the password of the private key is wrong", e);
        }
    }

    /** A key of RSA in its own form (PKCS #1) as Java wants it (PKCS #8). */
    private static byte[] wrapped(byte[] key) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.writeBytes(VERSION_AND_RSA);
        write(OCTETS, key, content);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        write(SEQUENCE, content.toByteArray(), whole);
        return whole.toByteArray();
    }

    private static void write(int tag, byte[] content, ByteArrayOutputStream to) {
        to.write(tag);
        if (content.length < LONG_FORM) {
            to.write(content.length);
        } else {
            int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(content.length) + 7) / Byte.SIZE;
            to.write(LONG_FORM | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                to.write(content.length >>> (i * Byte.SIZE));
            }
        }
        to.writeBytes(content);
    }
}
