package dev.semel.server.catalog;

import dev.semel.wire.Namespace;
import org.jspecify.annotations.Nullable;

/** A change of the catalog, as it appears in the operation log. */
public sealed interface CatalogChange {
    record Created(Collection collection) implements CatalogChange {}

    record Dropped(Collection collection) implements CatalogChange {}

    /** Comes after the drops of all its collections. */
    record DatabaseDropped(String database) implements CatalogChange {}

    /**
     * A collection has another name.
     *
     * @param replaced the one that had this name, and is gone
     */
    record Renamed(
            Collection collection, Namespace to, @Nullable Collection replaced) implements CatalogChange {}

    record IndexCreated(Collection collection, IndexSpec index) implements CatalogChange {}

    record IndexDropped(Collection collection, IndexSpec index) implements CatalogChange {}

    /** Other options of a collection, or of its indexes. */
    record Modified(Collection before, Collection after) implements CatalogChange {}
}
