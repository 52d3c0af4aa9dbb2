package dev.semel.driver.model;

import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Encodes the arguments of the builders as BSON. */
final class Encoding {
    private static final String VALUE = "value";

    private Encoding() {}

    static BsonValue encode(@Nullable Object value, CodecRegistry codecs) {
        return switch (value) {
            case null -> BsonNull.VALUE;
            case BsonValue given -> given;
            case Bson document -> document.toBsonDocument(BsonDocument.class, codecs);
            case Parts.Row row -> {
                var array = new BsonArray();
                row.values().forEach(each -> array.add(encode(each, codecs)));
                yield array;
            }
            default -> byCodec(value, codecs);
        };
    }

    /** A codec can only write into a document, so the value is written as a field. */
    private static BsonValue byCodec(Object value, CodecRegistry codecs) {
        var writer = new BsonDocumentWriter(new BsonDocument());
        writer.writeStartDocument();
        writer.writeName(VALUE);
        encode(codecs.get(value.getClass()), writer, value);
        writer.writeEndDocument();
        return Objects.requireNonNull(writer.getDocument().get(VALUE));
    }

    @SuppressWarnings("unchecked") // the codec is the one of the value's class
    private static <T> void encode(Codec<T> codec, BsonDocumentWriter writer, Object value) {
        codec.encode(writer, (T) value, EncoderContext.builder().build());
    }
}
