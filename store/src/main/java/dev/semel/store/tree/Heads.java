package dev.semel.store.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Parts of keys as numbers that have the order of the parts. Bytes behind the end of a key count as 0. */
final class Heads {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Heads() {}

    /** Eight bytes; of different numbers, the lower unsigned one is that of the lower bytes. */
    static long eight(byte[] key, int from) {
        if (from + Long.BYTES <= key.length) {
            return (long) LONG.get(key, from);
        }
        long bytes = 0;
        for (int i = from; i < key.length; i++) {
            bytes |= (key[i] & 0xFFL) << (56 - Byte.SIZE * (i - from));
        }
        return bytes;
    }

    /** Four bytes; of different numbers, the lower signed one is that of the lower bytes. */
    static int four(byte[] key, int from) {
        return (int) (eight(key, from) >>> Integer.SIZE) ^ Integer.MIN_VALUE;
    }

    /** Of eight bytes that are in a number, only the first ones. */
    static long first(long bytes, int count) {
        return count <= 0 ? 0 : count >= Long.BYTES ? bytes : bytes & (-1L << (Long.SIZE - Byte.SIZE * count));
    }
}
