package dev.semel.server.auth;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;

/** SHA-256 of a user's full name, as numbers, so that comparing two costs no array. */
public record UserDigest(long first, long second, long third, long fourth) implements Comparable<UserDigest> {
    public static final int BYTES = 32;
    private static final Comparator<UserDigest> ORDER = Comparator.comparingLong(UserDigest::first)
            .thenComparingLong(UserDigest::second)
            .thenComparingLong(UserDigest::third)
            .thenComparingLong(UserDigest::fourth);

    static UserDigest of(byte[] text) {
        try {
            return read(ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime cannot do SHA-256", e);
        }
    }

    public static UserDigest read(ByteBuffer from) {
        return new UserDigest(from.getLong(), from.getLong(), from.getLong(), from.getLong());
    }

    public void write(ByteBuffer to) {
        to.putLong(first).putLong(second).putLong(third).putLong(fourth);
    }

    public byte[] toBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        write(bytes);
        return bytes.array();
    }

    @Override
    public int compareTo(UserDigest other) {
        return ORDER.compare(this, other);
    }
}
