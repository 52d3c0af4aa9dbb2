package dev.semel.server.catalog;

import dev.semel.query.value.DottedPath;

/**
 * One of the values of which each key of an index consists.
 *
 * @param path where in a document the value comes from, and by which name it is shown
 * @param collated whether texts are stored as keys of the index's collation
 */
public record KeyColumn(DottedPath path, IndexKind kind, boolean ascending, boolean collated) {}
