package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * Limits on what one expression may build. An intermediate value may be larger than a document, but an expression of a
 * few bytes must not be able to ask for all memory, and what is nested too deeply could not be stored or even compared.
 */
public final class Sizes {
    /** The largest value while computing: four documents. */
    public static final int BYTES_MAX = 64 * 1024 * 1024;

    /** The deepest value while computing: as deep as a message may nest, without what a reply has around its documents. */
    public static final int DEPTH_MAX = Limits.MESSAGE_DEPTH_MAX - 3;

    /** Of each level: the length, an end, and in the one around it a type and an empty name. */
    private static final int LEVEL_BYTES_MIN = 7;

    private Sizes() {}

    static void check(long bytes) {
        if (bytes > BYTES_MAX) {
            throw new CommandException(
                    ErrorCode.BSONObjectTooLarge,
                    "The value being computed takes more than %d bytes, which is the limit",
                    BYTES_MAX);
        }
    }

    /** Refuses a value that nests deeper than {@link #DEPTH_MAX}. */
    public static void checkDepth(@Nullable Value value) {
        if (value instanceof Value.Doc(var document)) {
            checkDepth(document);
        } else if (value instanceof Value.Array(var elements)) {
            checkDepth(elements);
        }
    }

    public static void checkDepth(RawDocument document) {
        if (document.length() > DEPTH_MAX * LEVEL_BYTES_MIN) {
            checkDepth(document, 1);
        }
    }

    private static void checkDepth(RawDocument document, int depth) {
        if (depth > DEPTH_MAX) {
            throw new CommandException(
                    ErrorCode.Overflow,
                    "cannot convert document to BSON because it exceeds the limit of %d levels of nesting",
                    DEPTH_MAX);
        }
        for (var at = document.cursor(); at.next(); ) {
            byte type = at.array()[at.elementStart()];
            if (type == 0x03 || type == 0x04) {
                checkDepth(RawDocument.view(at.array(), at.valueStart()), depth + 1);
            }
        }
    }
}
