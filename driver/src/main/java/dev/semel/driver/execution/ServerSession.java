package dev.semel.driver.execution;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;

/** The id and the transaction number of a session on the server. The number only grows, also when the session is reused. */
final class ServerSession {
    private final BsonBinary id;
    private long txnNumber;
    private final LongSupplier nanoTime;
    private long lastUsedNanos;
    private boolean isDirty;

    ServerSession(UUID uuid, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        lastUsedNanos = nanoTime.getAsLong();
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
        id = new BsonBinary(BsonBinarySubType.UUID_STANDARD, bytes);
    }

    BsonBinary id() {
        return id;
    }

    BsonDocument identifier() {
        return new BsonDocument("id", id);
    }

    long nextTxnNumber() {
        return ++txnNumber;
    }

    long txnNumber() {
        return txnNumber;
    }

    void used() {
        lastUsedNanos = nanoTime.getAsLong();
    }

    long lastUsedNanos() {
        return lastUsedNanos;
    }

    /** The network failed under it: the server may still be working for it, so it must not be used again. */
    void markDirty() {
        isDirty = true;
    }

    boolean isDirty() {
        return isDirty;
    }
}
