package dev.semel.wire.bson;

/** One field of a document, for code that is not in a hurry; {@link ElementCursor} is for code that is. */
public record Element(String name, Value value) {}
