package dev.semel.driver.connection;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Field names that have been read before, so that those of a million documents are made into strings once. Threads share it
 * without a lock: a string that another thread puts here is seen whole or not at all; a thread that misses it makes it again.
 */
public final class FieldNames {
    private static final int SLOTS = 1024;

    /** Longer ones are rare, and likely to be keys that do not come again. */
    private static final int LENGTH_MAX = 40;

    private final @Nullable String[] slots = new String[SLOTS];

    /** The name in these bytes. */
    String name(byte[] bytes, int from, int length) {
        if (length > LENGTH_MAX) {
            return new String(bytes, from, length, StandardCharsets.UTF_8);
        }
        int hash = length;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        int slot = (hash ^ hash >>> 15) & (SLOTS - 1);
        String known = slots[slot];
        if (known != null && isSame(known, bytes, from, length)) {
            return known;
        }
        String made = new String(bytes, from, length, StandardCharsets.UTF_8);
        slots[slot] = made;
        return made;
    }

    /** Never true of a name with other than ASCII characters: its bytes are negative. */
    private static boolean isSame(String known, byte[] bytes, int from, int length) {
        if (known.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (known.charAt(i) != bytes[from + i]) {
                return false;
            }
        }
        return true;
    }
}
