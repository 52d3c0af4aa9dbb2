package dev.semel.query.pipeline.window;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * A value over the documents of a window, which come in order and leave in the same order.
 *
 * @param <T> what counts of a document
 */
interface Aggregate<T> {
    /** What counts of a document. */
    T take(RawDocument document);

    /** Whether the same document counts the same when it is taken once more. */
    default boolean canTakeAgain() {
        return false;
    }

    /** Whether it knows by itself what leaves next, so that nothing need be kept to {@link #remove} it. */
    default boolean removesFirst() {
        return false;
    }

    /** Takes out what came first, if it knows that by itself. */
    default void removeFirst() {
        throw new IllegalStateException("what leaves is not known");
    }

    /** About what it takes on the heap, if it is held. */
    long bytes(T taken);

    void add(T taken);

    /**
     * Takes out what came first of all that is in.
     *
     * @param next what comes first from now on, or null if nothing is left
     */
    void remove(T oldest, @Nullable T next);

    Value result();
}
