package dev.semel.query.pipeline.window;

/**
 * Where a window is in a partition. It moves with the current document, and neither end ever moves back. The window is
 * empty if its first document comes after its last one.
 */
public interface Frame {
    void moveTo(long current);

    long first();

    /** -1 if the window ends before the partition begins. */
    long last();

    default boolean isEmpty() {
        return first() > last();
    }

    /** The first document whose position the frame may ask for again; the largest number if it does not look at them. */
    long needed();
}
