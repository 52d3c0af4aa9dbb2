package dev.semel.query.pipeline;

import java.nio.ByteBuffer;
import java.util.List;

/** How items become records of a temporary file and come back. */
public interface SpillFormat<T> {
    /** Views into what the item holds, where that may be large: a copy of it would be in no budget. */
    List<ByteBuffer> parts(T item);

    /** The array is the item's own. */
    T fromBytes(byte[] record);
}
