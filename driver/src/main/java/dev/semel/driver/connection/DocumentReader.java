package dev.semel.driver.connection;

import dev.semel.wire.bson.RawDocument;
import org.bson.BsonBinaryReader;
import org.bson.codecs.Decoder;
import org.bson.codecs.DecoderContext;
import org.bson.io.BsonInput;

/** Decodes documents one after the other with one reader for all of them. Used by one thread at a time. */
public final class DocumentReader<T> {
    private static final DecoderContext CONTEXT = DecoderContext.builder().build();

    private final Decoder<T> decoder;
    private final DocumentInput input;
    private Reader reader;

    public DocumentReader(Decoder<T> decoder, FieldNames names) {
        this(decoder, new DocumentInput(names));
    }

    private DocumentReader(Decoder<T> decoder, DocumentInput input) {
        this.decoder = decoder;
        this.input = input;
        reader = new Reader(input);
    }

    /** Decodes a document that stands alone: nothing of it is kept for the next. */
    static <T> T readAlone(RawDocument document, Decoder<T> decoder) {
        return new DocumentReader<>(decoder, new DocumentInput(null)).read(document);
    }

    public T read(RawDocument document) {
        if (decoder instanceof RawDecoder<T> raw) {
            return raw.decode(document);
        }
        input.turnTo(document);
        if (!reader.canBegin()) {
            // A codec failed in the midst of a document, or left it without reading its end.
            reader = new Reader(input);
        }
        return decoder.decode(reader, CONTEXT);
    }

    private static final class Reader extends BsonBinaryReader {
        Reader(BsonInput input) {
            super(input);
        }

        /** Ready for another document, if the last one has been read to its end. */
        boolean canBegin() {
            if (getState() == State.DONE) {
                setState(State.INITIAL);
            }
            return getState() == State.INITIAL;
        }
    }
}
