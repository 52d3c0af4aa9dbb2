package dev.semel.server.changes;

import dev.semel.query.delta.UpdateDescription;
import dev.semel.server.changes.Operations.Operation;
import dev.semel.server.changes.StreamOptions.AfterImage;
import dev.semel.server.changes.StreamOptions.BeforeImage;
import dev.semel.server.oplog.LoggedChanges;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** Makes events of changes. */
final class ChangeEvents {
    private final StreamScope scope;
    private final StreamOptions options;
    private final Images images;
    private final CatalogEvents catalogEvents;

    ChangeEvents(StreamScope scope, StreamOptions options, Images images) {
        this.scope = scope;
        this.options = options;
        this.images = images;
        this.catalogEvents = new CatalogEvents(scope, options.showExpandedEvents());
    }

    /** An event, and whether the stream ends behind it. */
    record Made(ResumeToken token, RawDocument event, boolean isLast) {}

    /** Null if the change is not for this stream to show. */
    @Nullable
    Made of(Operation operation, Operations log, Interruption interruption) {
        RawDocument change = operation.change();
        String op = string(change, "op");
        if (op.equals("n")) {
            return null;
        }
        if (op.equals("c")) {
            return catalogEvents.of(operation);
        }
        Namespace namespace = Namespace.parse(string(change, "ns"));
        if (!scope.shows(namespace)) {
            return null;
        }
        ResumeToken token = ResumeToken.of(operation.time(), operation.position(), ResumeToken.Kind.EVENT);
        return new Made(token, document(op, token, namespace, operation, log, interruption), false);
    }

    static String string(RawDocument from, String field) {
        return from.get(field) instanceof Value.Str(Text text) ? text.toString() : "";
    }

    static RawDocument inner(RawDocument from, String field) {
        return from.get(field) instanceof Value.Doc(RawDocument inner) ? inner : RawDocument.EMPTY;
    }

    private RawDocument document(
            String op,
            ResumeToken token,
            Namespace namespace,
            Operation operation,
            Operations log,
            Interruption interruption) {
        RawDocument change = operation.change();
        RawDocument object = inner(change, "o");
        RawDocument difference = LoggedChanges.difference(change);
        RawDocument key = op.equals("d") ? object : inner(change, "o2");
        String type = switch (op) {
            case "i" -> "insert";
            case "d" -> "delete";
            default -> difference == null ? "replace" : "update";
        };
        BsonWriter out = begin(token, type, operation, options.showExpandedEvents());
        RawDocument before = op.equals("i") || !needsBefore(difference) ? null : log.replaced(operation);
        switch (type) {
            case "insert", "replace" -> out.put("fullDocument", object);
            case "update" -> putAfter(out, namespace, change, key, before, difference, interruption);
            default -> {}
        }
        putNamespace("ns", namespace, out);
        out.put("documentKey", key);
        if (difference != null) {
            out.put("updateDescription", UpdateDescription.of(difference, options.showExpandedEvents()));
        }
        if (!op.equals("i")) {
            putBefore(out, before, key);
        }
        return out.finish();
    }

    /** The fields that every event begins with. */
    static BsonWriter begin(ResumeToken token, String type, Operation operation, boolean isExpanded) {
        RawDocument entry = operation.entry();
        BsonWriter out = new BsonWriter(operation.change().length() + 512)
                .put("_id", token.toDocument())
                .put("operationType", type)
                .put("clusterTime", new Value.Timestamp(operation.time()));
        Value wall = entry.get("wall");
        if (wall != null) {
            out.put("wallTime", wall);
        }
        Value uuid = operation.change().get("ui");
        if (isExpanded && uuid != null) {
            out.put("collectionUUID", uuid);
        }
        Value session = entry.get("lsid");
        Value number = entry.get("txnNumber");
        if (session != null && number != null && operation.isInTransaction()) {
            out.put("txnNumber", number).put("lsid", session);
        }
        return out;
    }

    static void putNamespace(String field, Namespace namespace, BsonWriter out) {
        out.startDocument(field)
                .put("db", namespace.database())
                .put("coll", namespace.collection())
                .end();
    }

    // ---- images

    private boolean needsBefore(@Nullable RawDocument difference) {
        return options.fullDocumentBeforeChange() != BeforeImage.OFF
                || (difference != null
                        && (options.fullDocument() == AfterImage.WHEN_AVAILABLE
                                || options.fullDocument() == AfterImage.REQUIRED));
    }

    private void putAfter(
            BsonWriter out,
            Namespace namespace,
            RawDocument change,
            RawDocument key,
            @Nullable RawDocument before,
            @Nullable RawDocument difference,
            Interruption interruption) {
        if (options.fullDocument() == AfterImage.DEFAULT || difference == null) {
            return;
        }
        RawDocument after;
        if (options.fullDocument() == AfterImage.UPDATE_LOOKUP) {
            Value id = key.get("_id");
            after = id == null ? null : images.current(namespace, change.get("ui"), id, interruption);
        } else {
            after = Images.after(before, difference);
            if (after == null && options.fullDocument() == AfterImage.REQUIRED) {
                throw Images.missing("post-image", key);
            }
        }
        put("fullDocument", after, out);
    }

    private void putBefore(BsonWriter out, @Nullable RawDocument before, RawDocument key) {
        if (options.fullDocumentBeforeChange() == BeforeImage.OFF) {
            return;
        }
        if (before == null && options.fullDocumentBeforeChange() == BeforeImage.REQUIRED) {
            throw Images.missing("pre-image", key);
        }
        put("fullDocumentBeforeChange", before, out);
    }

    private static void put(String field, @Nullable RawDocument document, BsonWriter out) {
        if (document == null) {
            out.putNull(field);
        } else {
            out.put(field, document);
        }
    }
}
