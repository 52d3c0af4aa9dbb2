package dev.semel.driver.operation;

import java.nio.charset.StandardCharsets;
import org.bson.BsonBinaryWriter;
import org.bson.codecs.Encoder;
import org.bson.codecs.EncoderContext;

/** Encodes documents that are to be stored. All return how long the document is, for a limit that it may be beyond. */
final class StoredDocument {
    private static final EncoderContext STORED =
            EncoderContext.builder().isEncodingCollectibleDocument(true).build();

    private StoredDocument() {}

    static <T> int write(BsonBinaryWriter writer, T document, Encoder<T> encoder) {
        int start = writer.getBsonOutput().getPosition();
        encoder.encode(writer, document, STORED);
        return writer.getBsonOutput().getPosition() - start;
    }

    static <T> int write(BsonBinaryWriter writer, String field, T document, Encoder<T> encoder) {
        writer.writeName(field);
        return write(writer, document, encoder) - headBytes(field);
    }

    /** A field is its type, its name with a zero, and its value. */
    static int headBytes(String field) {
        return 1 + field.getBytes(StandardCharsets.UTF_8).length + 1;
    }
}
