package dev.semel.driver;

/** Whether a cursor ends with the collection, follows what is added to it, or also waits for that. */
public enum CursorType {
    NON_TAILABLE,
    TAILABLE,
    TAILABLE_AWAIT;

    boolean isTailable() {
        return this != NON_TAILABLE;
    }
}
