package dev.semel.query.pipeline;

/** How items become records of a temporary file and come back. */
public interface SpillFormat<T> {
    byte[] toBytes(T item);

    /** The array is the item's own. */
    T fromBytes(byte[] record);
}
