package dev.semel.server.changes;

import dev.semel.server.changes.ChangeEvents.Made;
import dev.semel.server.changes.Operations.Operation;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** Makes events of changes of the catalog. Some are shown only to streams that ask for expanded events. */
final class CatalogEvents {
    private final StreamScope scope;
    private final boolean isExpanded;

    CatalogEvents(StreamScope scope, boolean isExpanded) {
        this.scope = scope;
        this.isExpanded = isExpanded;
    }

    /** The event that removes what a stream watches comes first, and then, by {@link #invalidation}, the end of the stream. */
    @Nullable
    Made of(Operation operation) {
        RawDocument command = ChangeEvents.inner(operation.change(), "o");
        Element first = command.first();
        if (first == null) {
            return null;
        }
        String database =
                Namespace.parse(ChangeEvents.string(operation.change(), "ns")).database();
        return switch (first.name()) {
            case "drop" -> dropped(operation, of(database, first));
            case "renameCollection" -> renamed(operation, command);
            case "dropDatabase" -> databaseDropped(operation, database);
            case "create" -> expanded("create", operation, of(database, first), without("create", command));
            case "createIndexes" ->
                expanded("createIndexes", operation, of(database, first), indexes(without("createIndexes", command)));
            case "dropIndexes" ->
                expanded(
                        "dropIndexes",
                        operation,
                        of(database, first),
                        indexes(ChangeEvents.inner(operation.change(), "o2")));
            case "collMod" -> expanded("modify", operation, of(database, first), without("collMod", command));
            default -> null;
        };
    }

    /** The end of a stream, right behind the event that causes it. */
    static RawDocument invalidation(Operation operation) {
        return ChangeEvents.begin(invalidationToken(operation), "invalidate", operation, false)
                .finish();
    }

    static ResumeToken invalidationToken(Operation operation) {
        return ResumeToken.of(operation.time(), operation.position(), ResumeToken.Kind.INVALIDATION);
    }

    private static Namespace of(String database, Element command) {
        return new Namespace(database, command.value() instanceof Value.Str(var text) ? text.toString() : "");
    }

    private static RawDocument without(String field, RawDocument command) {
        BsonWriter out = new BsonWriter(command.length());
        for (var at = command.cursor(); at.next(); ) {
            if (!at.name().equals(field)) {
                out.copy(at);
            }
        }
        return out.finish();
    }

    private static RawDocument indexes(RawDocument index) {
        return new BsonWriter(index.length() + 32)
                .startArray("indexes")
                .add(index)
                .end()
                .finish();
    }

    private static ResumeToken token(Operation operation) {
        return ResumeToken.of(operation.time(), operation.position(), ResumeToken.Kind.EVENT);
    }

    private @Nullable Made dropped(Operation operation, Namespace namespace) {
        boolean isView = operation.change().get("o2") instanceof Value.Doc(RawDocument before) && before.has("viewOn");
        if (!scope.shows(namespace) || (isView && !isExpanded)) {
            return null;
        }
        BsonWriter out = ChangeEvents.begin(token(operation), "drop", operation, isExpanded);
        ChangeEvents.putNamespace("ns", namespace, out);
        return new Made(token(operation), out.finish(), scope.endsWith(namespace));
    }

    private @Nullable Made renamed(Operation operation, RawDocument command) {
        Namespace from = Namespace.parse(ChangeEvents.string(command, "renameCollection"));
        Namespace to = Namespace.parse(ChangeEvents.string(command, "to"));
        if (!scope.shows(from) && !scope.shows(to)) {
            return null;
        }
        BsonWriter out = ChangeEvents.begin(token(operation), "rename", operation, isExpanded);
        ChangeEvents.putNamespace("ns", from, out);
        ChangeEvents.putNamespace("to", to, out);
        if (isExpanded) {
            out.startDocument("operationDescription");
            ChangeEvents.putNamespace("to", to, out);
            Value replaced = command.get("dropTarget");
            if (replaced != null && replaced.type() == BsonType.BINARY) {
                out.put("dropTarget", replaced);
            }
            out.end();
        }
        return new Made(token(operation), out.finish(), scope.endsWith(from) || scope.endsWith(to));
    }

    private @Nullable Made databaseDropped(Operation operation, String database) {
        if (!scope.showsDatabase(database)) {
            return null;
        }
        BsonWriter out = ChangeEvents.begin(token(operation), "dropDatabase", operation, isExpanded)
                .startDocument("ns")
                .put("db", database)
                .end();
        return new Made(token(operation), out.finish(), scope.endsWithDatabase(database));
    }

    private @Nullable Made expanded(String type, Operation operation, Namespace namespace, RawDocument description) {
        if (!isExpanded || !scope.shows(namespace)) {
            return null;
        }
        BsonWriter out = ChangeEvents.begin(token(operation), type, operation, true);
        ChangeEvents.putNamespace("ns", namespace, out);
        out.put("operationDescription", description);
        if (type.equals("modify")) {
            RawDocument before = ChangeEvents.inner(operation.change(), "o2");
            out.startDocument("stateBeforeChange")
                    .put("collectionOptions", ChangeEvents.inner(before, "collectionOptions_old"));
            if (before.has("indexOptions_old")) {
                out.put("indexOptions", ChangeEvents.inner(before, "indexOptions_old"));
            }
            out.end();
        }
        return new Made(token(operation), out.finish(), false);
    }
}
