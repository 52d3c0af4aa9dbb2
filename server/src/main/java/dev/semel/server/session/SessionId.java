package dev.semel.server.session;

import dev.semel.server.auth.UserDigest;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A logical session's UUID, made by the client, and its user: another user who chooses the same UUID must not
 * get into it. The UUID is two numbers, so that a lookup costs no array.
 *
 * @param owner null for a client that has not authenticated
 */
public record SessionId(long high, long low, @Nullable UserDigest owner) implements Comparable<SessionId> {
    private static final VarHandle BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final byte UUID_SUBTYPE = 4;
    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;
    private static final Comparator<SessionId> ORDER = Comparator.comparingLong(SessionId::high)
            .thenComparingLong(SessionId::low)
            .thenComparing(SessionId::owner, Comparator.nullsFirst(Comparator.naturalOrder()));

    public SessionId(long high, long low) {
        this(high, low, null);
    }

    public SessionId ownedBy(@Nullable UserDigest user) {
        return user == null && owner == null ? this : new SessionId(high, low, user);
    }

    /** What {@code lsid} and the session commands carry: {@code {id: UUID}}. */
    public static SessionId parse(RawDocument lsid, String path) {
        SessionId id = null;
        for (var at = lsid.cursor(); at.next(); ) {
            id = switch (at.name()) {
                case "id" -> of(at.value(), path);
                case "uid" ->
                    throw new CommandException(
                            ErrorCode.Unauthorized, "Unauthorized to set user digest in LogicalSessionId");
                default ->
                    throw new CommandException(
                            ErrorCode.IDLUnknownField, "BSON field '%s.%s' is an unknown field.", path, at.name());
            };
        }
        if (id == null) {
            throw new CommandException(
                    ErrorCode.IDLFailedToParse, "BSON field '%s.id' is missing but a required field", path);
        }
        return id;
    }

    private static SessionId of(Value value, String path) {
        if (!(value instanceof Value.Binary(byte subtype, byte[] bytes))) {
            throw new CommandException(
                    ErrorCode.TypeMismatch,
                    "BSON field '%s.id' is the wrong type '%s', expected type 'binData'",
                    path,
                    value.type().alias());
        }
        if (subtype != UUID_SUBTYPE || bytes.length != 16) {
            throw new CommandException(
                    ErrorCode.InvalidUUID, "uuid must be a 16-byte binary field with UUID (4) subtype");
        }
        return new SessionId((long) BIG_ENDIAN.get(bytes, 0), (long) BIG_ENDIAN.get(bytes, 8));
    }

    public static SessionId of(UUID uuid) {
        return new SessionId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    public Value.Binary toValue() {
        byte[] bytes = new byte[16];
        BIG_ENDIAN.set(bytes, 0, high);
        BIG_ENDIAN.set(bytes, 8, low);
        return new Value.Binary(UUID_SUBTYPE, bytes);
    }

    /** As {@code {id: UUID}}, which is how clients name it. */
    public RawDocument toDocument() {
        return new BsonWriter(32).put("id", toValue()).finish();
    }

    @Override
    public int hashCode() {
        return Long.hashCode((high ^ low * MULTIPLIER) * MULTIPLIER);
    }

    /**
     * In no particular order, the owner included. A client can choose ids with equal hashes, and a map with many of them is fast
     * only if they can be compared.
     */
    @Override
    public int compareTo(SessionId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return new UUID(high, low).toString();
    }
}
