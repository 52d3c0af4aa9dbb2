package dev.semel.server.once;

import dev.semel.server.session.SessionId;
import dev.semel.store.key.KeyRange;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Where rows are; the package says how keys are made. */
final class RecordKeys {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private static final byte SESSION = 1;
    private static final byte NUMBER = 2;

    static final KeyRange SESSIONS = KeyRange.prefix(new byte[] {SESSION});
    static final byte[] FORGOTTEN = {3};

    private RecordKeys() {}

    static byte[] session(SessionId id) {
        byte[] key = new byte[17];
        key[0] = SESSION;
        put(id, key);
        return key;
    }

    static SessionId session(byte[] key) {
        return new SessionId((long) LONG.get(key, 1), (long) LONG.get(key, 9));
    }

    static byte[] part(SessionId id, long number, int part) {
        byte[] key = new byte[29];
        key[0] = NUMBER;
        put(id, key);
        LONG.set(key, 17, number);
        INT.set(key, 25, part);
        return key;
    }

    static boolean isFirstPart(byte[] key) {
        return (int) INT.get(key, 25) == 0;
    }

    static long number(byte[] key) {
        return (long) LONG.get(key, 17);
    }

    /** All that is kept of a session's numbers but for the newest one's row. */
    static KeyRange parts(SessionId id) {
        byte[] prefix = new byte[17];
        prefix[0] = NUMBER;
        put(id, prefix);
        return KeyRange.prefix(prefix);
    }

    static byte[] millis(long millis) {
        byte[] row = new byte[Long.BYTES];
        LONG.set(row, 0, millis);
        return row;
    }

    static long millis(byte[] row) {
        return (long) LONG.get(row, 0);
    }

    private static void put(SessionId id, byte[] key) {
        LONG.set(key, 1, id.high());
        LONG.set(key, 9, id.low());
    }
}
