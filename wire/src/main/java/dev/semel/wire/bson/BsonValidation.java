package dev.semel.wire.bson;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;

/**
 * Checks bytes from outside once, before they are read as a document: afterwards every length, type and string terminator
 * in them is valid. Text is not checked to be UTF-8; MongoDB stores what it is given, and so do we.
 */
public final class BsonValidation {
    private final byte[] bytes;

    private BsonValidation(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * The document that begins at {@code offset} and must end at or before {@code limit}; 22 InvalidBSON if it is none,
     * 15 Overflow if it nests deeper than a message may.
     */
    public static RawDocument check(byte[] bytes, int offset, int limit) {
        new BsonValidation(bytes).document(offset, limit, Limits.MESSAGE_DEPTH_MAX);
        return RawDocument.view(bytes, offset);
    }

    /**
     * Whether a well-formed document may be stored: 10334 BSONObjectTooLarge beyond 16 MB, 15 Overflow beyond the depth
     * that documents may have.
     */
    public static void checkStorable(RawDocument document) {
        if (document.length() > Limits.DOCUMENT_BYTES_MAX) {
            throw new CommandException(
                    ErrorCode.BSONObjectTooLarge,
                    "object to insert too large. size in bytes: %d, max size: %d",
                    document.length(),
                    Limits.DOCUMENT_BYTES_MAX);
        }
        depth(document, Limits.DEPTH_MAX);
    }

    private static void depth(RawDocument document, int allowed) {
        if (allowed == 0) {
            throw tooDeep(Limits.DEPTH_MAX);
        }
        for (var at = document.cursor(); at.next(); ) {
            BsonType type = at.type();
            if (type == BsonType.DOCUMENT || type == BsonType.ARRAY) {
                depth(RawDocument.view(document.array(), at.valueStart()), allowed - 1);
            }
        }
    }

    /** Checks one document and returns where it ends. */
    private int document(int start, int limit, int depth) {
        if (depth == 0) {
            throw tooDeep(Limits.MESSAGE_DEPTH_MAX);
        }
        int length = int32(start, limit);
        if (length < 5 || length > limit - start) {
            throw invalid("a document of " + length + " bytes where " + (limit - start) + " are left");
        }
        int end = start + length - 1;
        if (bytes[end] != 0) {
            throw invalid("a document does not end with a zero");
        }
        int at = start + 4;
        while (at < end) {
            byte type = bytes[at];
            at = value(type, cStringEnd(at + 1, end) + 1, end, depth);
        }
        if (at != end) {
            throw invalid("the elements of a document do not end where it does");
        }
        return end + 1;
    }

    /** Checks one value and returns where it ends. */
    private int value(byte type, int at, int limit, int depth) {
        return switch (type) {
            case 0x01, 0x09, 0x11, 0x12 -> fixed(at, 8, limit);
            case 0x02, 0x0D, 0x0E -> string(at, limit);
            case 0x03, 0x04 -> document(at, limit, depth - 1);
            case 0x05 -> binary(at, limit);
            case 0x06, 0x0A, (byte) 0xFF, 0x7F -> at;
            case 0x07 -> fixed(at, 12, limit);
            case 0x08 -> {
                int next = fixed(at, 1, limit);
                if (bytes[at] != 0 && bytes[at] != 1) {
                    throw invalid("a boolean that is neither 0 nor 1");
                }
                yield next;
            }
            case 0x0B -> cStringEnd(cStringEnd(at, limit) + 1, limit) + 1;
            case 0x0C -> fixed(string(at, limit), 12, limit);
            case 0x0F -> codeWithScope(at, limit, depth);
            case 0x10 -> fixed(at, 4, limit);
            case 0x13 -> fixed(at, 16, limit);
            default -> throw invalid("Unrecognized BSON type 0x" + Integer.toHexString(type & 0xFF));
        };
    }

    private int codeWithScope(int at, int limit, int depth) {
        int length = int32(at, limit);
        if (length < 4 || length > limit - at) {
            throw invalid("a code with scope of " + length + " bytes");
        }
        int end = document(string(at + 4, at + length), at + length, depth - 1);
        if (end != at + length) {
            throw invalid("a code with scope that is longer than its parts");
        }
        return end;
    }

    private int binary(int at, int limit) {
        int length = int32(at, limit);
        if (length < 0 || length > limit - at - 5) {
            throw invalid("binary data of " + length + " bytes");
        }
        // The old binary subtype repeats its length inside.
        if (bytes[at + 4] == 2 && (length < 4 || LittleEndian.int32(bytes, at + 5) != length - 4)) {
            throw invalid("binary data of subtype 2 whose inner length is wrong");
        }
        return at + 5 + length;
    }

    private int string(int at, int limit) {
        int length = int32(at, limit);
        if (length < 1 || length > limit - at - 4) {
            throw invalid("a string of " + length + " bytes where " + (limit - at - 4) + " are left");
        }
        if (bytes[at + 4 + length - 1] != 0) {
            throw invalid("a string does not end with a zero");
        }
        return at + 4 + length;
    }

    private int fixed(int at, int length, int limit) {
        if (length > limit - at) {
            throw invalid("a value does not fit its document");
        }
        return at + length;
    }

    private int int32(int at, int limit) {
        fixed(at, 4, limit);
        return LittleEndian.int32(bytes, at);
    }

    private int cStringEnd(int at, int limit) {
        while (at < limit) {
            if (bytes[at] == 0) {
                return at;
            }
            at++;
        }
        throw invalid("a name or pattern without end");
    }

    static CommandException invalid(String what) {
        return new CommandException(ErrorCode.InvalidBSON, what);
    }

    private static CommandException tooDeep(int depth) {
        return new CommandException(ErrorCode.Overflow, "cannot nest documents or arrays deeper than %d levels", depth);
    }
}
