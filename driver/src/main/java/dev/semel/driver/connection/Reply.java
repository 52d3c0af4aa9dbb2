package dev.semel.driver.connection;

import dev.semel.driver.setting.ServerAddress;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.Decoder;
import org.jspecify.annotations.Nullable;

/** A server's reply; its fields are decoded when they are read. */
public final class Reply {
    private static final BsonDocumentCodec DOCUMENT = new BsonDocumentCodec();

    private final RawDocument body;
    private final boolean moreToCome;
    private final ServerAddress address;

    Reply(RawDocument body, boolean moreToCome, ServerAddress address) {
        this.body = body;
        this.moreToCome = moreToCome;
        this.address = address;
    }

    public RawDocument body() {
        return body;
    }

    /** Whether the server will send another reply without a request. */
    public boolean moreToCome() {
        return moreToCome;
    }

    public ServerAddress address() {
        return address;
    }

    public boolean isOk() {
        return number("ok", 0) == 1;
    }

    public boolean has(String name) {
        return body.has(name);
    }

    /** Any numeric type; the default where the field is missing or no number. */
    public long number(String name, long otherwise) {
        return number(body.get(name), otherwise);
    }

    public static long number(@Nullable Value value, long otherwise) {
        return switch (value) {
            case Value.Int32(int number) -> number;
            case Value.Int64(long number) -> number;
            case Value.Double64(double number) -> (long) number;
            case Value.Bool(boolean flag) -> flag ? 1 : 0;
            case null, default -> otherwise;
        };
    }

    /** The whole answer. */
    public BsonDocument document() {
        return decode(body, DOCUMENT);
    }

    /** The whole reply for a listener that may not read it: decoded on access. */
    public BsonDocument rawDocument() {
        return new RawBsonDocument(body.array(), body.offset(), body.length());
    }

    /** A document inside the answer, or null. */
    public @Nullable RawDocument nested(String name) {
        return body.get(name) instanceof Value.Doc(RawDocument document) ? document : null;
    }

    public static <T> T decode(RawDocument document, Decoder<T> decoder) {
        return DocumentReader.readAlone(document, decoder);
    }
}
