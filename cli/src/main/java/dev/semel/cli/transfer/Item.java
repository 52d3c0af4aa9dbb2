package dev.semel.cli.transfer;

import dev.semel.wire.bson.RawDocument;

/** A document of a file, and the line it began on. */
public record Item(long line, RawDocument document) {}
