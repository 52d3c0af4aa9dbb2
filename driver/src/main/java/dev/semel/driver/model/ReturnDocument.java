package dev.semel.driver.model;

/** Which version of a document is returned: as it was, or as it became. */
public enum ReturnDocument {
    BEFORE,
    AFTER
}
