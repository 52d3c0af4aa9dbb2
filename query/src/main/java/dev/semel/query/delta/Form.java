package dev.semel.query.delta;

import dev.semel.wire.bson.RawDocument;

/** How an update is told to those who follow the changes, which is by what the client sent. */
public sealed interface Form {
    /** The client sent the new document. */
    record Replacement() implements Form {}

    /** What differs, as after a pipeline. */
    record Comparison() implements Form {}

    /** What operators wrote, and it alone. */
    record Operators(WholePaths wholes) implements Form {}

    /** A version of a document, and how to tell it from the one before. */
    record Version(RawDocument document, Form form) {}

    Form REPLACEMENT = new Replacement();
    Form COMPARISON = new Comparison();
    Form OPERATORS = new Operators(WholePaths.NONE);
}
