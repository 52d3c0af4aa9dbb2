package dev.semel.server.once;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Identifies tokens, and the commands they stand for. */
final class Sha256 {
    static final int BYTES = 32;

    private Sha256() {}

    static MessageDigest start() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime cannot do SHA-256", e);
        }
    }
}
