package dev.semel.query.pipeline;

import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** Fields inside of documents inside of documents; arrays are not entered. */
final class Nested {
    private Nested() {}

    static @Nullable Value get(RawDocument document, DottedPath path) {
        RawDocument in = document;
        for (int i = 0; ; i++) {
            Value value = in.get(path.partUtf8(i));
            if (i == path.size() - 1) {
                return value;
            }
            if (!(value instanceof Value.Doc(RawDocument inner))) {
                return null;
            }
            in = inner;
        }
    }

    /** Refuses to set a field where the way to it leads through an array or another value that is no document. */
    static void checkSettable(RawDocument document, DottedPath path) {
        RawDocument in = document;
        for (int i = 0; i < path.size(); i++) {
            Value value = in.get(path.partUtf8(i));
            if (value instanceof Value.Array) {
                throw new CommandException(
                        ErrorCode.location(5733307), "$densify cannot generate fields nested inside arrays");
            }
            if (!(value instanceof Value.Doc(RawDocument inner))) {
                if (value != null && i < path.size() - 1) {
                    throw new CommandException(
                            ErrorCode.location(5733308), "$densify cannot overwrite non-object values with objects");
                }
                return;
            }
            in = inner;
        }
    }

    /** A copy with another value at the path, in place if there was one, else at the end; null removes the field. */
    static RawDocument set(RawDocument document, DottedPath path, @Nullable Value value) {
        return set(document, path, 0, value);
    }

    private static RawDocument set(RawDocument document, DottedPath path, int part, @Nullable Value value) {
        byte[] name = path.partUtf8(part);
        BsonWriter writer = new BsonWriter(document.length() + 32);
        boolean found = false;
        for (ElementCursor at = document.cursor(); at.next(); ) {
            if (found || !at.nameIs(name)) {
                writer.copy(at);
                continue;
            }
            found = true;
            put(writer, path, part, below(at.value(), path, part, value));
        }
        if (!found) {
            put(writer, path, part, below(null, path, part, value));
        }
        return writer.finish();
    }

    private static @Nullable Value below(@Nullable Value present, DottedPath path, int part, @Nullable Value value) {
        if (part == path.size() - 1) {
            return value;
        }
        if (present instanceof Value.Doc(RawDocument inner)) {
            return Value.of(set(inner, path, part + 1, value));
        }
        return value == null ? present : Value.of(set(RawDocument.EMPTY, path, part + 1, value));
    }

    private static void put(BsonWriter writer, DottedPath path, int part, @Nullable Value value) {
        if (value != null) {
            writer.put(path.part(part), value);
        }
    }
}
