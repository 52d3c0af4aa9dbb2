package dev.semel.server.catalog;

import dev.semel.query.value.DottedPath;
import dev.semel.query.value.IndexKeys;
import dev.semel.wire.bson.RawDocument;
import java.util.List;

/** Which keys a document has in an index: one generator for each kind of index. */
sealed interface KeyGenerator permits OrderedKeys, HashedKeys, WildcardKeys, GeoKeys, TextKeys {

    static KeyGenerator of(IndexSpec spec) {
        List<DottedPath> paths =
                spec.key().columns().stream().map(KeyColumn::path).toList();
        return switch (spec.key().kind()) {
            case ORDERED -> new OrderedKeys(paths);
            case SPHERE, PLANE -> new GeoKeys(spec.key().columns(), spec.cells());
            case HASHED -> new HashedKeys(spec.key().columns(), spec.collated());
            case WILDCARD -> WildcardKeys.of(spec);
            case TEXT -> TextKeys.of(spec);
        };
    }

    /** Which paths of a document make a difference to its keys, given those of the columns; empty if any may. */
    default List<DottedPath> reads(List<DottedPath> columns) {
        return columns;
    }

    /** The keys, each with one value per {@link KeyPattern#columns column}; not necessarily without duplicates. */
    IndexKeys.Extraction extract(RawDocument document);
}
