package dev.semel.server.oplog;

import dev.semel.server.catalog.CatalogChange;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexSpec;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes of the catalog as commands in the log. */
final class CatalogOperations {
    private CatalogOperations() {}

    /** The fields of the operation; null if it is not logged. */
    static @Nullable BsonWriter of(CatalogChange change) {
        return switch (change) {
            case CatalogChange.Created(Collection collection) -> created(collection);
            case CatalogChange.Dropped(Collection collection) -> dropped(collection);
            case CatalogChange.DatabaseDropped(String database) -> databaseDropped(database);
            case CatalogChange.Renamed(Collection collection, Namespace to, Collection replaced) ->
                renamed(collection, to, replaced);
            case CatalogChange.IndexCreated(Collection collection, IndexSpec index) -> indexCreated(collection, index);
            case CatalogChange.IndexDropped(Collection collection, IndexSpec index) -> indexDropped(collection, index);
            case CatalogChange.Modified(Collection before, Collection after) -> modified(before, after);
        };
    }

    /** Who follows one of these wants to hear of it. */
    static List<Namespace> touched(CatalogChange change) {
        return switch (change) {
            case CatalogChange.Created(Collection collection) -> List.of(collection.namespace());
            case CatalogChange.Dropped(Collection collection) -> List.of(collection.namespace());
            case CatalogChange.DatabaseDropped(String database) -> List.of(new Namespace(database, "$cmd"));
            case CatalogChange.Renamed(Collection collection, Namespace to, var replaced) ->
                List.of(collection.namespace(), to);
            case CatalogChange.IndexCreated(Collection collection, var index) -> List.of(collection.namespace());
            case CatalogChange.IndexDropped(Collection collection, var index) -> List.of(collection.namespace());
            case CatalogChange.Modified(var before, Collection after) -> List.of(after.namespace());
        };
    }

    private static @Nullable BsonWriter command(Collection collection) {
        if (!OplogWriter.isLogged(collection.namespace())) {
            return null;
        }
        return new BsonWriter()
                .put("op", "c")
                .put("ns", collection.namespace().database() + ".$cmd")
                .put("ui", collection.uuidValue());
    }

    private static @Nullable BsonWriter created(Collection collection) {
        BsonWriter out = command(collection);
        if (out == null) {
            return null;
        }
        out.startDocument("o")
                .put("create", collection.namespace().collection())
                .copyAll(collection.options());
        if (collection.view() == null && collection.timeSeries() == null) {
            out.put("idIndex", collection.indexes().getFirst().spec().toDocument());
        }
        return out.end();
    }

    /** Of a view it says what it was: only some want to hear of views. */
    private static @Nullable BsonWriter dropped(Collection collection) {
        BsonWriter out = command(collection);
        if (out == null) {
            return null;
        }
        out.startDocument("o").put("drop", collection.namespace().collection()).end();
        return collection.view() == null ? out : out.put("o2", collection.options());
    }

    private static @Nullable BsonWriter databaseDropped(String database) {
        if (database.equals("local")) {
            return null;
        }
        return new BsonWriter()
                .put("op", "c")
                .put("ns", database + ".$cmd")
                .startDocument("o")
                .put("dropDatabase", 1)
                .end();
    }

    private static @Nullable BsonWriter renamed(Collection collection, Namespace to, @Nullable Collection replaced) {
        BsonWriter out = command(collection);
        return out == null
                ? null
                : out.startDocument("o")
                        .put("renameCollection", collection.namespace().toString())
                        .put("to", to.toString())
                        .put("stayTemp", false)
                        .put("dropTarget", replaced == null ? Value.FALSE : replaced.uuidValue())
                        .end();
    }

    private static @Nullable BsonWriter indexCreated(Collection collection, IndexSpec index) {
        BsonWriter out = command(collection);
        return out == null
                ? null
                : out.startDocument("o")
                        .put("createIndexes", collection.namespace().collection())
                        .copyAll(index.toDocument())
                        .end();
    }

    private static @Nullable BsonWriter indexDropped(Collection collection, IndexSpec index) {
        BsonWriter out = command(collection);
        return out == null
                ? null
                : out.startDocument("o")
                        .put("dropIndexes", collection.namespace().collection())
                        .put("index", index.name())
                        .end()
                        .put("o2", index.toDocument());
    }

    // ---- other options

    private static @Nullable BsonWriter modified(Collection before, Collection after) {
        BsonWriter out = command(after);
        if (out == null) {
            return null;
        }
        out.startDocument("o").put("collMod", after.namespace().collection());
        putChanged(before.options(), after.options(), out);
        BsonWriter indexBefore = new BsonWriter();
        for (Index index : after.indexes()) {
            Index old = before.index(index.name());
            if (old != null && !old.spec().equals(index.spec())) {
                RawDocument was = old.spec().toDocument();
                RawDocument is = index.spec().toDocument();
                out.startDocument("index").put("name", index.name());
                putChanged(was, is, out);
                out.end();
                putChanged(is, was, indexBefore);
            }
        }
        out.end();
        out.startDocument("o2")
                .startDocument("collectionOptions_old")
                .put("uuid", before.uuidValue())
                .copyAll(before.options())
                .end();
        RawDocument indexOptions = indexBefore.finish();
        if (!indexOptions.isEmpty()) {
            out.put("indexOptions_old", indexOptions);
        }
        return out.end();
    }

    private static void putChanged(RawDocument before, RawDocument after, BsonWriter out) {
        for (Element each : after) {
            if (!each.value().equals(before.get(each.name()))) {
                out.put(each.name(), each.value());
            }
        }
    }
}
