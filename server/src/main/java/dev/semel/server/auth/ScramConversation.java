package dev.semel.server.auth;

import dev.semel.wire.scram.ScramHash;
import dev.semel.wire.scram.ScramMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The server's half of SCRAM: two messages of the client, and a third, empty one if it did not offer to leave that out.
 * Whatever is wrong is an {@link AuthenticationFailure}; a user who does not exist is found out as late as one who does
 * not know the password.
 */
public final class ScramConversation {
    private static final int HEADER_MIN = 3;
    private static final int NONCE_BYTES_MAX = 1_024;

    private final int id;
    private final ScramHash hash;
    private final String database;
    private final boolean skipsEmptyExchange;
    private final Passwords passwords;
    private Stage stage = Stage.FIRST;
    private @Nullable User user;
    private @Nullable Credential credential;
    private String boundHeader = "";
    private String nonce = "";
    private String firstMessages = "";

    private enum Stage {
        FIRST,
        PROOF,
        EMPTY,
        DONE
    }

    /** What to answer. */
    public record Step(byte[] payload, boolean done) {}

    /** Distinguishes its messages from those of an earlier conversation. */
    public ScramConversation(int id, ScramHash hash, String database, boolean skipsEmptyExchange, Passwords passwords) {
        this.id = id;
        this.hash = hash;
        this.database = database;
        this.skipsEmptyExchange = skipsEmptyExchange;
        this.passwords = passwords;
    }

    public int id() {
        return id;
    }

    /** Who it is, once it is done. */
    public User user() {
        if (stage != Stage.DONE || user == null) {
            throw new IllegalStateException("the conversation has not authenticated a user");
        }
        return user;
    }

    public Step next(byte[] payload, Users users) {
        return switch (stage) {
            case FIRST -> challenge(new String(payload, StandardCharsets.UTF_8), users);
            case PROOF -> verify(ScramMessage.of(payload));
            case EMPTY -> end();
            case DONE -> throw new AuthenticationFailure("the conversation has ended");
        };
    }

    private Step challenge(String message, Users users) {
        // The header says whether the client uses channel binding, which is not offered, and an authorization identity.
        int header = message.indexOf(',', message.indexOf(',') + 1) + 1;
        if (!message.matches("(?s)[ny],.*") || header < HEADER_MIN) {
            throw new AuthenticationFailure("the first message has no header that is understood");
        }
        ScramMessage bare = ScramMessage.of(message.substring(header));
        String clientNonce = bare.attribute("r");
        if (!bare.text().startsWith("n=") || clientNonce.isEmpty() || clientNonce.length() > NONCE_BYTES_MAX) {
            throw new AuthenticationFailure("the first message lacks a name or a nonce");
        }
        UserName name = new UserName(ScramMessage.unescaped(bare.attribute("n")), database);
        user = users.find(name);
        credential = user == null
                ? passwords.nobodys(name, hash)
                : user.credentials().get(hash);
        if (credential == null) {
            // Not secret: hello reveals which mechanisms a user has. And a client that has only guessed must ask again.
            throw new AuthenticationFailure("the user has no password for this mechanism");
        }
        boundHeader = ScramMessage.encoded(message.substring(0, header).getBytes(StandardCharsets.UTF_8));
        nonce = clientNonce + ScramMessage.encoded(passwords.nonce());
        String answer =
                "r=" + nonce + ",s=" + ScramMessage.encoded(credential.salt()) + ",i=" + credential.iterations();
        firstMessages = bare.text() + "," + answer + ",";
        stage = Stage.PROOF;
        return new Step(answer.getBytes(StandardCharsets.UTF_8), false);
    }

    private Step verify(ScramMessage proof) {
        Credential known = credential;
        if (known == null) {
            throw new IllegalStateException("the conversation has not begun");
        }
        int signed = proof.text().lastIndexOf(",p=");
        if (signed < 0
                || !proof.attribute("c").equals(boundHeader)
                || !proof.attribute("r").equals(nonce)) {
            throw new AuthenticationFailure("the second message does not belong to the first");
        }
        byte[] messages = (firstMessages + proof.text().substring(0, signed)).getBytes(StandardCharsets.UTF_8);
        byte[] clientKey = ScramHash.xor(hash.mac(known.storedKey(), messages), claimed(proof));
        if (!MessageDigest.isEqual(hash.hash(clientKey), known.storedKey()) || user == null) {
            throw new AuthenticationFailure(user == null ? "there is no such user" : "the password is wrong");
        }
        byte[] answer =
                ("v=" + ScramMessage.encoded(hash.mac(known.serverKey(), messages))).getBytes(StandardCharsets.UTF_8);
        stage = skipsEmptyExchange ? Stage.DONE : Stage.EMPTY;
        return new Step(answer, skipsEmptyExchange);
    }

    private byte[] claimed(ScramMessage proof) {
        try {
            byte[] claimed = proof.decoded("p");
            if (claimed.length == hash.bytes()) {
                return claimed;
            }
        } catch (IllegalArgumentException e) {
            throw new AuthenticationFailure("the proof is not in base 64");
        }
        throw new AuthenticationFailure("the proof is of the wrong length");
    }

    /** Whatever the client says: some send the server's signature back. */
    private Step end() {
        stage = Stage.DONE;
        return new Step(new byte[0], true);
    }
}
