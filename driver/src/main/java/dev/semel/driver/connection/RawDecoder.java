package dev.semel.driver.connection;

import dev.semel.wire.bson.RawDocument;
import org.bson.codecs.Decoder;

/** Decodes a document from its bytes where they are, without a reader. */
public interface RawDecoder<T> extends Decoder<T> {
    T decode(RawDocument document);
}
