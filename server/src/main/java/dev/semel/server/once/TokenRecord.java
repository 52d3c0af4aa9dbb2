package dev.semel.server.once;

import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The row of one token: which command it stands for, and what became of it as far as that fits. The bytes are the store's. */
public final class TokenRecord {
    private static final int COMMAND = 1;
    private static final int DIGEST = 2;
    private static final int WITHOUT_IDS = DIGEST + Sha256.BYTES;
    private static final int WRITTEN = WITHOUT_IDS + Fingerprint.SHORT_BYTES;
    private static final int EXPIRES = WRITTEN + Long.BYTES;
    private static final int STATEMENTS = EXPIRES + Long.BYTES;
    private static final int PARTS = STATEMENTS + Integer.BYTES;
    private static final int TYPE = PARTS + Integer.BYTES;
    private static final int SUBTYPE = TYPE + 1;
    private static final int LENGTH = SUBTYPE + 1;
    private static final int TOKEN = LENGTH + Short.BYTES;

    private final byte[] bytes;

    /** How far the command has come. */
    public enum State {
        /** Some of its statements have happened; the rest happens when it is sent again. */
        PARTLY,
        /** It has been answered, or would have been. */
        ENDED,
        /** Nothing has happened and nothing will: a client has asked and got this answer. */
        FENCE
    }

    TokenRecord(byte[] bytes) {
        this.bytes = bytes;
    }

    static TokenRecord of(
            State state,
            Token token,
            Fingerprint fingerprint,
            long writtenMillis,
            long expiresMillis,
            int parts,
            StatementRuns runs) {
        byte[] name = token.bytes();
        byte[] bytes = runs.toBytes(TOKEN + name.length);
        ByteBuffer.wrap(bytes)
                .put((byte) (state.ordinal() + 1))
                .put((byte) fingerprint.command().ordinal())
                .put(fingerprint.digest())
                .put(fingerprint.withoutIds())
                .putLong(writtenMillis)
                .putLong(expiresMillis)
                .putInt(fingerprint.statements())
                .putInt(parts)
                .put(token.type())
                .put(token.subtype())
                .putShort((short) name.length)
                .put(name);
        return new TokenRecord(bytes);
    }

    static TokenRecord fence(Token token, long writtenMillis, long expiresMillis) {
        Fingerprint nothing =
                new Fingerprint(TokenCommand.INSERT, new byte[Sha256.BYTES], new byte[Fingerprint.SHORT_BYTES], 0);
        return of(State.FENCE, token, nothing, writtenMillis, expiresMillis, 0, new StatementRuns());
    }

    byte[] bytes() {
        return bytes;
    }

    public State state() {
        return State.values()[bytes[0] - 1];
    }

    public TokenCommand command() {
        return TokenCommand.values()[bytes[COMMAND]];
    }

    boolean isOf(Fingerprint fingerprint) {
        return Arrays.equals(bytes, DIGEST, WITHOUT_IDS, fingerprint.digest(), 0, Sha256.BYTES);
    }

    boolean isOfButForIds(Fingerprint fingerprint) {
        return Arrays.equals(bytes, WITHOUT_IDS, WRITTEN, fingerprint.withoutIds(), 0, Fingerprint.SHORT_BYTES);
    }

    /** Of the wall clock. */
    public long writtenMillis() {
        return ByteBuffer.wrap(bytes).getLong(WRITTEN);
    }

    /** Until then it is kept at least. */
    public long expiresMillis() {
        return ByteBuffer.wrap(bytes).getLong(EXPIRES);
    }

    /** How many the command has. */
    public int statements() {
        return ByteBuffer.wrap(bytes).getInt(STATEMENTS);
    }

    /** Rows with further statements. */
    int parts() {
        return ByteBuffer.wrap(bytes).getInt(PARTS);
    }

    /** As the client gave it. */
    Value token() {
        int length = ByteBuffer.wrap(bytes).getShort(LENGTH);
        return bytes[TYPE] == BsonType.STRING.code()
                ? new Value.Str(new Text(bytes, TOKEN, length))
                : new Value.Binary(bytes[SUBTYPE], Arrays.copyOfRange(bytes, TOKEN, TOKEN + length));
    }

    /** Where the statements begin. */
    int runsStart() {
        return TOKEN + ByteBuffer.wrap(bytes).getShort(LENGTH);
    }
}
