package dev.semel.query.value;

/** A question about one value as it stands in a document, so that nothing need be decoded to answer it. */
@FunctionalInterface
public interface ElementTest {
    /** The type byte of a value that is not there. */
    byte MISSING = 0;

    /** The value's type byte, {@link #MISSING} if there is none, and where it begins. */
    boolean test(byte type, byte[] bytes, int at);
}
