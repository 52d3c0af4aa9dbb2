package dev.semel.wire.scram;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;

/** The client's half of SCRAM (RFC 5802, RFC 7677): both sides prove that they know the password without sending it. */
public final class ScramClient {
    private static final String CHANNEL = "n,,";
    private static final int NONCE_BYTES = 24;

    /** A server that asks for fewer rounds wants the password guessed. */
    private static final int ITERATIONS_MIN = 4096;

    private final ScramHash hash;
    private final String user;
    private final String password;
    private final String nonce;
    private byte[] serverSignature = new byte[0];

    public ScramClient(ScramHash hash, String user, String password) {
        this.hash = hash;
        this.user = ScramMessage.escaped(user);
        this.password = hash.prepared(user, password);
        this.nonce = randomNonce();
    }

    public ScramHash hash() {
        return hash;
    }

    public byte[] first() {
        return bytes(CHANNEL + firstBare());
    }

    private String firstBare() {
        return "n=" + user + ",r=" + nonce;
    }

    /** The answer to the server's challenge; an {@link IllegalStateException} says why it gets none. */
    public byte[] proof(byte[] challenge) {
        ScramMessage asked = ScramMessage.of(challenge);
        String fullNonce = asked.attribute("r");
        int iterations = asked.attribute("i").matches("[0-9]{1,9}") ? Integer.parseInt(asked.attribute("i")) : 0;
        if (!fullNonce.startsWith(nonce) || fullNonce.length() == nonce.length()) {
            throw new IllegalStateException("The server answered with a nonce that is not ours");
        }
        if (iterations < ITERATIONS_MIN) {
            throw new IllegalStateException("The server asks for only " + iterations + " iterations");
        }
        String withoutProof = "c=" + ScramMessage.encoded(bytes(CHANNEL)) + ",r=" + fullNonce;
        byte[] signed = bytes(firstBare() + "," + asked.text() + "," + withoutProof);
        byte[] salted = hash.salted(password, asked.decoded("s"), iterations);
        byte[] clientKey = hash.clientKey(salted);
        byte[] proof = ScramHash.xor(hash.mac(hash.hash(clientKey), signed), clientKey);
        serverSignature = hash.mac(hash.serverKey(salted), signed);
        return bytes(withoutProof + ",p=" + ScramMessage.encoded(proof));
    }

    /** Checks that the server knows the password too; if not, fails with an {@link IllegalStateException}. */
    public void verify(byte[] last) {
        byte[] claimed = ScramMessage.of(last).decoded("v");
        if (serverSignature.length == 0 || !MessageDigest.isEqual(serverSignature, claimed)) {
            throw new IllegalStateException("The server could not prove that it knows the password");
        }
    }

    private static String randomNonce() {
        byte[] random = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(random);
        return ScramMessage.encoded(random);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
