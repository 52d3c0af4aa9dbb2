package dev.semel.server.statement;

import dev.semel.query.delta.Form.Version;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.command.Call;
import dev.semel.server.plan.Planner;
import dev.semel.store.Isolation;
import dev.semel.store.Savepoint;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one statement in a transaction, perhaps after others, so that it sees and changes the documents of one instant: an
 * instant at which every document it changes is the newest one.
 *
 * <p>A statement on one {@code _id} locks first and reads then. Any other reads first and locks each document it finds; if
 * one has changed since the read, what the statement has written is undone, its locks are kept, and it reads again. Only
 * a transaction with a fixed snapshot cannot read again: it gets a write conflict.
 */
public final class Statements {
    private final Catalog catalog;
    private final Targets targets;
    private final NewDocuments newDocuments;

    public Statements(Catalog catalog, Targets targets, NewDocuments newDocuments) {
        this.catalog = catalog;
        this.targets = targets;
        this.newDocuments = newDocuments;
    }

    Outcome run(Transaction transaction, Write write, Call call) {
        call.worksOn(write.collection());
        return switch (write) {
            case Write.Insert insert -> insert(transaction, insert);
            case Write.Update update -> update(transaction, update, call);
            case Write.Delete delete -> delete(transaction, delete, call);
        };
    }

    // ---- insert

    private Outcome insert(Transaction transaction, Write.Insert insert) {
        RawDocument document =
                newDocuments.complete(insert.document(), insert.bypass().emptyTimestamps());
        catalog.locks()
                .forInsert(insert.collection(), transaction)
                .insert(transaction, document, insert.bypass().validation());
        return Outcome.INSERTED;
    }

    // ---- update

    private Outcome update(Transaction transaction, Write.Update update, Call call) {
        Change change = targets.parse(update, call);
        if (update.multi()) {
            return again(transaction, call, () -> updateAll(transaction, change, call));
        }
        Image image = modify(transaction, change, call);
        Value upserted = image.upserted();
        return new Outcome.Updated(image.before() == null ? 0 : 1, image.changed() ? 1 : 0, upserted);
    }

    private @Nullable Outcome updateAll(Transaction transaction, Change change, Call call) {
        Collection collection = forWrite(change.namespace(), change.target(), transaction);
        long matched = 0;
        long modified = 0;
        if (collection != null) {
            Measurements.checkUpdate(collection, change);
            lockFirst(transaction, collection, change.target());
            try (Candidates candidates = targets.open(transaction, change.target(), collection, call)) {
                while (candidates.next()) {
                    if (!candidates.lock()) {
                        return null;
                    }
                    byte[] key = candidates.key();
                    matched++;
                    RawDocument before = candidates.document();
                    Version after = change.apply(before);
                    if (after.document() != before) {
                        modified++;
                        collection.update(
                                transaction, key, before, after, change.bypass().validation());
                    }
                }
            }
        }
        if (matched > 0 || !change.upsert()) {
            return new Outcome.Updated(matched, modified, null);
        }
        return new Outcome.Updated(0, 0, Collection.id(insertNew(transaction, change)));
    }

    // ---- one document

    /**
     * What a statement found and left.
     *
     * @param before null if nothing matched
     * @param after null if it was removed, or nothing was done
     */
    public record Image(
            @Nullable RawDocument before, @Nullable RawDocument after) {
        static final Image NOTHING = new Image(null, null);

        boolean changed() {
            return before != null && before != after;
        }

        /** The {@code _id} of what was inserted because nothing matched. */
        public @Nullable Value upserted() {
            return before == null && after != null ? Collection.id(after) : null;
        }
    }

    /** Changes the first document that matches; inserts one if there is none and the change says so. */
    public Image modify(Transaction transaction, Change change, Call call) {
        boolean[] metOwnDuplicate = new boolean[1];
        return again(transaction, call, () -> {
            Image image = modifyFirst(transaction, change, call);
            if (image != Image.NOTHING || !change.upsert()) {
                return image;
            }
            try {
                return new Image(null, insertNew(transaction, change));
            } catch (CommandException e) {
                // What we look for has been inserted since we looked. The value is locked now: a second search
                // finds it, or the duplicate is no match.
                if (metOwnDuplicate[0] || !change.isOwnDuplicate(e)) {
                    throw e;
                }
                metOwnDuplicate[0] = true;
                return null;
            }
        });
    }

    private @Nullable Image modifyFirst(Transaction transaction, Change change, Call call) {
        Collection collection = forWrite(change.namespace(), change.target(), transaction);
        if (collection == null) {
            return Image.NOTHING;
        }
        Measurements.refuseOne(collection, ErrorCode.InvalidOptions, "update");
        Found found = first(transaction, collection, change.target(), call);
        if (found == null) {
            return null;
        }
        RawDocument before = found.document();
        if (before == null) {
            return Image.NOTHING;
        }
        Version after = change.apply(before);
        if (after.document() != before) {
            collection.update(
                    transaction, found.key(), before, after, change.bypass().validation());
        }
        return new Image(before, after.document());
    }

    private RawDocument insertNew(Transaction transaction, Change change) {
        RawDocument document = newDocuments.complete(change.newDocument(), change.keepsEmptyTimestamps());
        catalog.locks()
                .forInsert(change.namespace(), transaction)
                .insert(transaction, document, change.bypass().validation());
        return document;
    }

    // ---- delete

    private Outcome delete(Transaction transaction, Write.Delete delete, Call call) {
        Target target = targets.parse(delete, call);
        if (!delete.multi()) {
            return new Outcome.Deleted(
                    remove(transaction, delete.collection(), target, call).before() == null ? 0 : 1);
        }
        return again(transaction, call, () -> deleteAll(transaction, delete.collection(), target, call));
    }

    private @Nullable Outcome deleteAll(Transaction transaction, Namespace namespace, Target target, Call call) {
        Collection collection = forWrite(namespace, target, transaction);
        if (collection == null) {
            return new Outcome.Deleted(0);
        }
        long deleted = 0;
        lockFirst(transaction, collection, target);
        try (Candidates candidates = targets.open(transaction, target, collection, call)) {
            while (candidates.next()) {
                if (!candidates.lock()) {
                    return null;
                }
                collection.delete(transaction, candidates.key(), candidates.document());
                deleted++;
            }
        }
        return new Outcome.Deleted(deleted);
    }

    /** Removes the first document that matches. */
    public Image remove(Transaction transaction, Namespace namespace, Target target, Call call) {
        return again(transaction, call, () -> {
            Collection collection = forWrite(namespace, target, transaction);
            if (collection == null) {
                return Image.NOTHING;
            }
            Measurements.refuseOne(collection, ErrorCode.IllegalOperation, "delete");
            Found found = first(transaction, collection, target, call);
            if (found == null) {
                return null;
            }
            RawDocument before = found.document();
            if (before == null) {
                return Image.NOTHING;
            }
            collection.delete(transaction, found.key(), before);
            return new Image(before, null);
        });
    }

    // ---- finding and locking

    /** Null if there is none: then nothing can match, unless the search asks for an index. */
    private @Nullable Collection forWrite(Namespace namespace, Target target, Transaction transaction) {
        Collection collection = catalog.locks().forWrite(namespace, transaction);
        if (collection == null) {
            Planner.requireNoIndex(namespace, target.query());
        }
        return collection;
    }

    /** A locked document, or the certainty that there is none. */
    private record Found(byte[] key, @Nullable RawDocument document) {
        static final Found NOTHING = new Found(new byte[0], null);
    }

    /** Null if the document has changed since the look. */
    private @Nullable Found first(Transaction transaction, Collection collection, Target target, Call call) {
        byte[] key = target.onlyKey(collection);
        if (key != null) {
            transaction.lockExclusive(Table.DOCUMENTS, key);
            if (transaction.isolation() == Isolation.SNAPSHOT) {
                transaction.requireUnchanged(Table.DOCUMENTS, key);
            }
            byte[] stored = transaction.latest(Table.DOCUMENTS, key);
            call.examined(1, stored == null ? 0 : 1);
            return new Found(key, stored == null ? null : RawDocument.of(stored));
        }
        lockFirst(transaction, collection, target);
        try (Candidates candidates = targets.open(transaction, target, collection, call)) {
            if (!candidates.next()) {
                return Found.NOTHING;
            }
            return candidates.lock() ? new Found(candidates.key(), candidates.document()) : null;
        }
    }

    private static void lockFirst(Transaction transaction, Collection collection, Target target) {
        byte[] key = target.key(collection);
        if (key != null) {
            transaction.lockExclusive(Table.DOCUMENTS, key);
        }
    }

    /** Runs a statement from its beginning until it says that it has seen one instant. */
    private static <T> T again(Transaction transaction, Call call, Supplier<@Nullable T> statement) {
        Savepoint start = transaction.savepoint();
        while (true) {
            call.interruption().check();
            if (transaction.isolation() == Isolation.STATEMENT) {
                transaction.refresh(start);
            } else {
                transaction.rollbackTo(start);
            }
            T result = statement.get();
            if (result != null) {
                return result;
            }
        }
    }
}
