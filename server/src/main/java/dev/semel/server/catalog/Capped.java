package dev.semel.server.catalog;

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
