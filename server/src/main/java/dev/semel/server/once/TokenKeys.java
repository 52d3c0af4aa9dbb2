package dev.semel.server.once;

import dev.semel.server.auth.UserDigest;
import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where the rows of tokens are; the package says how keys are made. */
final class TokenKeys {
    private static final byte TOKEN = 5;
    private static final byte PART = 6;
    private static final byte EXPIRY = 7;

    private static final int ROW_BYTES = 1 + UserDigest.BYTES + Sha256.BYTES;

    static final KeyRange TOKENS = KeyRange.prefix(new byte[] {TOKEN});
    static final KeyRange PARTS = KeyRange.prefix(new byte[] {PART});
    static final byte[] FORGOTTEN = {8};

    private TokenKeys() {}

    static byte[] row(Token token) {
        ByteBuffer key = ByteBuffer.allocate(ROW_BYTES).put(TOKEN);
        owner(token).write(key);
        return key.put(token.digest()).array();
    }

    private static UserDigest owner(Token token) {
        UserDigest owner = token.owner();
        return owner == null ? new UserDigest(0, 0, 0, 0) : owner;
    }

    static @Nullable UserDigest owner(byte[] row) {
        UserDigest owner = UserDigest.read(ByteBuffer.wrap(row, 1, UserDigest.BYTES));
        return owner.equals(new UserDigest(0, 0, 0, 0)) ? null : owner;
    }

    static byte[] part(byte[] row, int part) {
        byte[] key = ByteBuffer.allocate(ROW_BYTES + Integer.BYTES)
                .put(row)
                .putInt(part)
                .array();
        key[0] = PART;
        return key;
    }

    /** By which what has to go first is found first. */
    static byte[] expiry(byte[] row, long millis) {
        return ByteBuffer.allocate(ROW_BYTES + Long.BYTES)
                .put(EXPIRY)
                .putLong(millis)
                .put(row, 1, ROW_BYTES - 1)
                .array();
    }

    static byte[] rowOfExpiry(byte[] expiry) {
        byte[] row = Arrays.copyOfRange(expiry, Long.BYTES, Long.BYTES + ROW_BYTES);
        row[0] = TOKEN;
        return row;
    }

    static long millisOfExpiry(byte[] expiry) {
        return ByteBuffer.wrap(expiry).getLong(1);
    }

    /** Every entry of the index up to this time. */
    static KeyRange expiredAt(long millis) {
        byte[] after = ByteBuffer.allocate(1 + Long.BYTES)
                .put(EXPIRY)
                .putLong(millis + 1)
                .array();
        return new KeyRange(new byte[] {EXPIRY}, after);
    }
}
