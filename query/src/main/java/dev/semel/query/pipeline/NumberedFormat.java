package dev.semel.query.pipeline;

import dev.semel.wire.bson.RawDocument;
import java.nio.ByteBuffer;

/** The number in which a document arrived, then the document: what it is sorted by is taken from that again. */
interface NumberedFormat<E extends NumberedFormat.Numbered> extends SpillFormat<E> {
    interface Numbered {
        long number();

        RawDocument document();
    }

    E entry(RawDocument document, long number);

    @Override
    default byte[] toBytes(E entry) {
        RawDocument document = entry.document();
        return ByteBuffer.allocate(Long.BYTES + document.length())
                .putLong(entry.number())
                .put(document.array(), document.offset(), document.length())
                .array();
    }

    @Override
    default E fromBytes(byte[] entry) {
        return entry(RawDocument.view(entry, Long.BYTES), ByteBuffer.wrap(entry).getLong());
    }
}
