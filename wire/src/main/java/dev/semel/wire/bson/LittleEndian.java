package dev.semel.wire.bson;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads and writes of BSON's fixed-width numbers in a byte array. */
public final class LittleEndian {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    public static int int32(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    public static long int64(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    public static void putInt32(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    public static void putInt64(byte[] bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }
}
