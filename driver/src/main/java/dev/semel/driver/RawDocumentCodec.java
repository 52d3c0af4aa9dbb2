package dev.semel.driver;

import dev.semel.driver.connection.RawDecoder;
import dev.semel.wire.bson.RawDocument;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecProvider;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/** Leaves documents as their bytes: results are views of the reply of the server. */
final class RawDocumentCodec implements Codec<RawDocument>, RawDecoder<RawDocument> {
    /** For {@link RawDocument} and no other class. */
    static final class Provider implements CodecProvider {
        private final RawDocumentCodec codec = new RawDocumentCodec();

        @Override
        @SuppressWarnings("unchecked") // the class has been compared
        public <T> @Nullable Codec<T> get(Class<T> type, CodecRegistry registry) {
            return type == RawDocument.class ? (Codec<T>) codec : null;
        }
    }

    private RawDocumentCodec() {}

    @Override
    public RawDocument decode(RawDocument document) {
        return document;
    }

    @Override
    public RawDocument decode(BsonReader reader, DecoderContext context) {
        var bytes = new BasicOutputBuffer();
        try (var writer = new BsonBinaryWriter(bytes)) {
            writer.pipe(reader);
        }
        return RawDocument.of(Arrays.copyOf(bytes.getInternalBuffer(), bytes.getPosition()));
    }

    @Override
    public void encode(BsonWriter writer, RawDocument document, EncoderContext context) {
        var bytes = ByteBuffer.wrap(document.array(), document.offset(), document.length());
        try (var reader = new BsonBinaryReader(bytes)) {
            writer.pipe(reader);
        }
    }

    @Override
    public Class<RawDocument> getEncoderClass() {
        return RawDocument.class;
    }
}
