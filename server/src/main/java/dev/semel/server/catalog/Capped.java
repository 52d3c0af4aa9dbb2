package dev.semel.server.catalog;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * How much a capped collection holds; of more, the oldest documents go.
 *
 * @param documentsMax 0 for any number
 */
public record Capped(long bytesMax, long documentsMax) {
    /** A change: 0 leaves the bytes as they are, and a negative number of documents their number. */
    Capped over(@Nullable Capped before) {
        if (before == null) {
            throw new CommandException(ErrorCode.InvalidOptions, "option only supported on a capped collection");
        }
        return new Capped(
                bytesMax == 0 ? before.bytesMax : bytesMax, documentsMax < 0 ? before.documentsMax : documentsMax);
    }

    static @Nullable Capped read(RawDocument options) {
        return Value.TRUE.equals(options.get("capped"))
                ? new Capped(number(options.get("size")), number(options.get("max")))
                : null;
    }

    private static long number(@Nullable Value value) {
        return switch (value) {
            case Value.Int32(int number) -> number;
            case Value.Int64(long number) -> number;
            case null, default -> 0;
        };
    }

    void writeTo(BsonWriter out) {
        out.put("capped", true).put("size", integer(bytesMax));
        if (documentsMax > 0) {
            out.put("max", integer(documentsMax));
        }
    }

    private static Value integer(long value) {
        return value == (int) value ? Value.of((int) value) : Value.of(value);
    }
}
