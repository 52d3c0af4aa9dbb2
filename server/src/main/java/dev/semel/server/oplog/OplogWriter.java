package dev.semel.server.oplog;

import dev.semel.query.delta.Delta;
import dev.semel.query.delta.Form;
import dev.semel.query.delta.Form.Version;
import dev.semel.query.delta.WholePaths;
import dev.semel.server.catalog.CatalogChange;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Oplog;
import dev.semel.store.Transaction;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.time.InstantSource;
import java.util.List;

/** Writes the operation log. Databases named {@code local} belong to their member alone and are not logged. */
public final class OplogWriter implements Oplog {
    /** What an operation has beside its documents, roughly. */
    static final int AROUND_BYTES = 256;

    /** The same, the namespace excepted, if keys are short. */
    private static final int FIELD_BYTES = 128;

    /** The namespace of an entry without a change. */
    private static final Namespace LOG = new Namespace("local", "oplog.rs");

    private final EntryGroups groups;

    public OplogWriter(InstantSource clock) {
        this.groups = new EntryGroups(clock);
    }

    @Override
    public void inserted(Transaction transaction, Collection collection, RawDocument document) {
        if (isLogged(collection.namespace())) {
            Begun begun = operation("i", collection, 0);
            putKey("o2", document, begun.out);
            transaction.append(Operation.inserting(groups, begun.head, begun.out, document));
        }
    }

    @Override
    public void updated(Transaction transaction, Collection collection, RawDocument before, Version version) {
        if (!isLogged(collection.namespace())) {
            return;
        }
        RawDocument after = version.document();
        boolean isReplacement = version.form() instanceof Form.Replacement;
        RawDocument change = switch (version.form()) {
            case Form.Replacement ignored -> after;
            case Form.Comparison ignored -> Delta.between(before, after);
            case Form.Operators(WholePaths wholes) -> Delta.between(before, after, wholes);
        };
        Begun begun = operation("u", collection, change.length());
        BsonWriter out = begun.out;
        if (isReplacement) {
            out.put("o", change);
        } else {
            out.startDocument("o").put("$v", 2).put("diff", change).end();
        }
        putKey("o2", before, out);
        transaction.append(
                new Operation(groups, List.of(), begun.head, out, collection.keepsImages() ? before.toBytes() : null));
    }

    @Override
    public void deleted(Transaction transaction, Collection collection, RawDocument document) {
        if (isLogged(collection.namespace())) {
            Begun begun = operation("d", collection, 0);
            putKey("o", document, begun.out);
            transaction.append(new Operation(
                    groups, List.of(), begun.head, begun.out, collection.keepsImages() ? document.toBytes() : null));
        }
    }

    @Override
    public void changed(Transaction transaction, CatalogChange change) {
        BsonWriter out = CatalogOperations.of(change);
        if (out != null) {
            transaction.append(new Operation(groups, CatalogOperations.touched(change), null, out, null));
        }
    }

    /** Something that changes nothing, for the time it has. */
    public void noted(Transaction transaction, String message) {
        BsonWriter out = new BsonWriter(AROUND_BYTES)
                .put("op", "n")
                .put("ns", "")
                .startDocument("o")
                .put("msg", message)
                .end();
        transaction.append(new Operation(groups, List.of(LOG), null, out, null));
    }

    static boolean isLogged(Namespace namespace) {
        return !namespace.database().equals("local") && !namespace.collection().equals("system.profile");
    }

    /** The fields that changes of one kind in one collection begin with, and a writer that has them. */
    private record Begun(Operation.Head head, BsonWriter out) {}

    private static Begun operation(String op, Collection collection, int documentBytes) {
        String namespace = collection.namespace().toString();
        BsonWriter out = new BsonWriter(documentBytes + FIELD_BYTES + namespace.length())
                .put("op", op)
                .put("ns", namespace)
                .put("ui", collection.uuidValue());
        return new Begun(new Operation.Head(op, collection.uuid(), namespace, out.length()), out);
    }

    private static void putKey(String field, RawDocument document, BsonWriter out) {
        out.startDocument(field).put("_id", Collection.id(document)).end();
    }
}
