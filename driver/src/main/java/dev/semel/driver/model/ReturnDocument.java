package dev.semel.driver.model;

/** Which version of a document is returned: before or after the change. */
public enum ReturnDocument {
    BEFORE,
    AFTER
}
