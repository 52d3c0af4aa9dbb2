package dev.semel.store;

/**
 * A walk over a range of keys in one direction. Between batches a cursor keeps its snapshot and the last key, never a
 * scan: a scan may hold engine resources. For one thread.
 *
 * <pre>{@code
 * try (Scan scan = snapshot.scan(Table.DOCUMENTS, range, false)) {
 *     while (scan.next()) visit(scan.key(), scan.value());
 * }
 * }</pre>
 */
public interface Scan extends AutoCloseable {
    /** Moves on; false after the last entry. */
    boolean next();

    /** The current key, an array that is never changed afterwards. */
    byte[] key();

    /** The current value, an array that is never changed afterwards. Nothing is read before this is called. */
    byte[] value();

    /**
     * The current value at the start of an array that may be longer and whose content is undefined after the next
     * {@link #next()} or {@link #seek}: for callers that discard most values, such as a filter.
     */
    byte[] transientValue();

    /** Whether {@link #value} is an array that is there anyway, so that {@link #transientValue} saves nothing. */
    boolean hasValuesAtHand();

    /**
     * Skips forward in the scan's direction: the following {@link #next()} yields the first entry at or beyond this key.
     * A key that lies behind changes nothing.
     */
    void seek(byte[] key);

    @Override
    void close();
}
