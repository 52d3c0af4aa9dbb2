package dev.semel.server.statement;

import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The most frequent filters, read from their bytes: those that name one {@code _id}. Such a filter can be satisfied by one
 * document, whose key is known before anything is read.
 */
public final class IdEquality {
    private static final byte[] ID = "_id".getBytes(StandardCharsets.UTF_8);
    private static final byte[] EQ = "$eq".getBytes(StandardCharsets.UTF_8);

    private IdEquality() {}

    /** The {@code _id} that a document must have to match; null if the filter does not say. */
    public static @Nullable Value of(RawDocument filter) {
        for (ElementCursor at = filter.cursor(); at.next(); ) {
            if (at.nameIs(ID)) {
                return operand(at);
            }
        }
        return null;
    }

    /** The same, for a filter that says nothing else: a document with this {@code _id} matches. */
    public static @Nullable Value only(RawDocument filter) {
        ElementCursor at = filter.cursor();
        if (!at.next() || !at.nameIs(ID)) {
            return null;
        }
        Value id = operand(at);
        return at.next() ? null : id;
    }

    private static @Nullable Value operand(ElementCursor at) {
        return switch (at.type()) {
            // A null also matches what is missing, an array what it contains, a regular expression what it describes.
            case NULL, UNDEFINED, ARRAY, REGEX -> null;
            case DOCUMENT -> inDocument(RawDocument.view(at.array(), at.valueStart()));
            default -> at.value();
        };
    }

    private static @Nullable Value inDocument(RawDocument operand) {
        ElementCursor at = operand.cursor();
        if (!at.next() || at.array()[at.elementStart() + 1] != '$') {
            return Value.of(operand);
        }
        if (!at.nameIs(EQ)) {
            return null;
        }
        Value id = switch (at.type()) {
            case NULL, UNDEFINED, ARRAY, REGEX -> null;
            default -> at.value();
        };
        return at.next() ? null : id;
    }
}
