package dev.semel.store.key;

/** Finds the values in a key without decoding them. */
public final class KeyReader {
    private KeyReader() {}

    /** Where the value that begins here ends and the next one begins. */
    public static int end(byte[] key, int at, boolean descending) {
        return end(key, at, descending ? 0xFF : 0);
    }

    /** The same after several values, each ascending or descending. */
    public static int end(byte[] key, int at, boolean[] descending) {
        int end = at;
        for (boolean each : descending) {
            end = end(key, end, each);
        }
        return end;
    }

    private static int end(byte[] key, int at, int flip) {
        int code = (key[at] ^ flip) & 0xFF;
        int body = at + 1;
        if (code >= NumberKeys.NAN && code <= NumberKeys.POSITIVE_LARGE) {
            return NumberKeys.bodyEnd(key, body, code, flip);
        }
        return switch (code) {
            case Codes.STRING, Codes.CODE -> textEnd(key, body, flip);
            case Codes.OBJECT -> fieldsEnd(key, body, flip);
            case Codes.ARRAY -> {
                int next = body;
                while (((key[next] ^ flip) & 0xFF) != 0) {
                    next = end(key, next, flip);
                }
                yield next + 1;
            }
            case Codes.BINARY -> body + 4 + 1 + length(key, body, flip);
            case Codes.OBJECT_ID -> body + 12;
            case Codes.DATE, Codes.TIMESTAMP -> body + Long.BYTES;
            case Codes.REGEX -> textEnd(key, textEnd(key, body, flip), flip);
            case Codes.DB_POINTER -> body + 4 + length(key, body, flip) + 12;
            case Codes.CODE_WITH_SCOPE -> fieldsEnd(key, textEnd(key, body, flip), flip);
            default -> body;
        };
    }

    private static int fieldsEnd(byte[] key, int at, int flip) {
        int next = at;
        while (((key[next] ^ flip) & 0xFF) != 0) {
            next = end(key, textEnd(key, next + 1, flip), flip);
        }
        return next + 1;
    }

    private static int textEnd(byte[] key, int at, int flip) {
        byte terminator = (byte) flip;
        int next = at;
        while (key[next] != terminator) {
            next++;
        }
        return next + 1;
    }

    private static int length(byte[] key, int at, int flip) {
        int length = 0;
        for (int i = at; i < at + 4; i++) {
            length = (length << 8) | ((key[i] ^ flip) & 0xFF);
        }
        return length;
    }
}
