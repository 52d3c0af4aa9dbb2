package dev.semel.query.pipeline;

import dev.semel.wire.bson.RawDocument;
import java.nio.ByteBuffer;
import java.util.List;

/** The number in which a document arrived, then the document: what it is sorted by is taken from that again. */
interface NumberedFormat<E extends NumberedFormat.Numbered> extends SpillFormat<E> {
    interface Numbered {
        long number();

        RawDocument document();
    }

    E entry(RawDocument document, long number);

    @Override
    default List<ByteBuffer> parts(E entry) {
        ByteBuffer number = ByteBuffer.allocate(Long.BYTES).putLong(entry.number());
        RawDocument document = entry.document();
        return List.of(number.flip(), ByteBuffer.wrap(document.array(), document.offset(), document.length()));
    }

    @Override
    default E fromBytes(byte[] entry) {
        return entry(RawDocument.view(entry, Long.BYTES), ByteBuffer.wrap(entry).getLong());
    }
}
