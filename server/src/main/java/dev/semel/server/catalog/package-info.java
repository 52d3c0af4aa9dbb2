/**
 * What exists and what is written together: collections, their indexes, and the entries of both in the store.
 *
 * <p>Start at {@link dev.semel.server.catalog.Catalog}, which finds a {@link dev.semel.server.catalog.Collection} for a
 * snapshot or for a transaction; a collection then writes documents with all their index entries.
 */
@NullMarked
package dev.semel.server.catalog;

import org.jspecify.annotations.NullMarked;
