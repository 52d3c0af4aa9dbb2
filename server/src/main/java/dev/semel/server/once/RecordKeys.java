package dev.semel.server.once;

import dev.semel.server.auth.UserDigest;
import dev.semel.server.session.SessionId;
import dev.semel.store.key.KeyRange;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Where rows are; the package says how keys are made. */
final class RecordKeys {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private static final byte SESSION = 1;
    private static final byte NUMBER = 2;
    private static final byte OWNED_NUMBER = 4;
    private static final byte MARK = 0x10;

    private static final int UUID_END = 17;
    private static final int OWNER_END = UUID_END + UserDigest.BYTES;
    private static final int PART_BYTES = Long.BYTES + Integer.BYTES;

    static final KeyRange SESSIONS = KeyRange.prefix(new byte[] {SESSION});
    static final KeyRange MARKS = KeyRange.prefix(new byte[] {MARK});
    static final byte[] FORGOTTEN = {3};

    private RecordKeys() {}

    static byte[] session(SessionId id) {
        return of(SESSION, id, 0);
    }

    /** Whose newest number, or mark, it is. */
    static SessionId session(byte[] key) {
        SessionId id = new SessionId((long) LONG.get(key, 1), (long) LONG.get(key, 9));
        return key.length == UUID_END
                ? id
                : id.ownedBy(UserDigest.read(ByteBuffer.wrap(key, UUID_END, UserDigest.BYTES)));
    }

    /** That the session is in a transaction of TokuMX's dialect. */
    static byte[] mark(SessionId id) {
        return of(MARK, id, 0);
    }

    static byte[] part(SessionId id, long number, int part) {
        byte[] key = of(kindOfPart(id), id, PART_BYTES);
        LONG.set(key, key.length - PART_BYTES, number);
        INT.set(key, key.length - Integer.BYTES, part);
        return key;
    }

    static boolean isFirstPart(byte[] key) {
        return (int) INT.get(key, key.length - Integer.BYTES) == 0;
    }

    static long number(byte[] key) {
        return (long) LONG.get(key, key.length - PART_BYTES);
    }

    /** All that is kept of a session's numbers but for the newest one's row. */
    static KeyRange parts(SessionId id) {
        return KeyRange.prefix(of(kindOfPart(id), id, 0));
    }

    /** A kind of its own: an owner behind the UUID must not be taken for a number of the session without one. */
    private static byte kindOfPart(SessionId id) {
        return id.owner() == null ? NUMBER : OWNED_NUMBER;
    }

    private static byte[] of(byte kind, SessionId id, int more) {
        UserDigest owner = id.owner();
        byte[] key = new byte[(owner == null ? UUID_END : OWNER_END) + more];
        key[0] = kind;
        LONG.set(key, 1, id.high());
        LONG.set(key, 9, id.low());
        if (owner != null) {
            owner.write(ByteBuffer.wrap(key, UUID_END, UserDigest.BYTES));
        }
        return key;
    }

    static byte[] millis(long millis) {
        byte[] row = new byte[Long.BYTES];
        LONG.set(row, 0, millis);
        return row;
    }

    static long millis(byte[] row) {
        return (long) LONG.get(row, 0);
    }
}
