package dev.semel.server.changes;

import dev.semel.query.delta.UpdateDescription;
import dev.semel.server.changes.Operations.Operation;
import dev.semel.server.changes.StreamOptions.AfterImage;
import dev.semel.server.changes.StreamOptions.BeforeImage;
import dev.semel.server.cursor.CurrentCall;
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
    private static final int AROUND_BYTES = 512;

    /** More than four of the largest documents cannot be written anyway. */
    private static final int EVENT_BYTES_MAX = 64 << 20;

    private final StreamScope scope;
    private final StreamOptions options;
    private final Images images;
    private final CatalogEvents catalogEvents;
    private final CurrentCall current;

    ChangeEvents(StreamScope scope, StreamOptions options, Images images, CurrentCall current) {
        this.current = current;
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
        RawDocument before = op.equals("i") || !needsBefore(difference) ? null : log.replaced(operation);
        hold(change.length() + 2L * length(before));
        RawDocument after = difference == null ? null : after(namespace, change, key, before, difference, interruption);
        long bytes = (long) change.length() + length(before) + length(after);
        hold(bytes);
        BsonWriter out = begin(token, type, operation, options.showExpandedEvents(), bytes);
        switch (type) {
            case "insert", "replace" -> out.put("fullDocument", object);
            case "update" -> {
                if (options.fullDocument() != AfterImage.DEFAULT) {
                    put("fullDocument", after, out);
                }
            }
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

    /**
     * An event is as large as the entry, the images and what else it is made of, and both are there until it is done: that is
     * two thirds of what a statement draws for a large value.
     */
    private void hold(long eventBytes) {
        current.call().holdLargeValue((int) Math.min(Integer.MAX_VALUE, eventBytes / 3 * 2));
    }

    private static long length(@Nullable RawDocument document) {
        return document == null ? 0 : document.length();
    }

    /** The fields that every event begins with. */
    static BsonWriter begin(ResumeToken token, String type, Operation operation, boolean isExpanded) {
        return begin(token, type, operation, isExpanded, operation.change().length());
    }

    private static BsonWriter begin(
            ResumeToken token, String type, Operation operation, boolean isExpanded, long bytes) {
        RawDocument entry = operation.entry();
        BsonWriter out = new BsonWriter((int) Math.min(bytes + AROUND_BYTES, EVENT_BYTES_MAX))
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

    private @Nullable RawDocument after(
            Namespace namespace,
            RawDocument change,
            RawDocument key,
            @Nullable RawDocument before,
            RawDocument difference,
            Interruption interruption) {
        if (options.fullDocument() == AfterImage.DEFAULT) {
            return null;
        }
        if (options.fullDocument() == AfterImage.UPDATE_LOOKUP) {
            Value id = key.get("_id");
            return id == null ? null : images.current(namespace, change.get("ui"), id, interruption);
        }
        RawDocument after = Images.after(before, difference);
        if (after == null && options.fullDocument() == AfterImage.REQUIRED) {
            throw Images.missing("post-image", key);
        }
        return after;
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
