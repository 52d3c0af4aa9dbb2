package dev.semel.server.command;

import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.store.CommitListener;
import dev.semel.store.CommitRecord;
import dev.semel.store.Fact;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The concerns that an administrator has set for commands that name none: a document of a collection, so that they are as
 * durable, and on as many members, as any other write. Read again after a commit that may have changed it.
 */
public final class DefaultConcerns implements CommitListener {
    private static final Namespace COLLECTION = new Namespace("config", "settings");
    private static final Value ID = Value.of("ReadWriteConcernDefaults");

    private final Transactions transactions;
    private final Catalog catalog;
    private final AtomicReference<Known> known = new AtomicReference<>(new Known(null));

    /** What is stored; null until somebody has read it again. */
    private record Known(@Nullable Stored stored) {}

    /**
     * What is stored; a concern is null if it is not set.
     *
     * @param document without the field {@code _id}
     */
    public record Stored(
            @Nullable ReadConcern read, @Nullable WriteConcern write, RawDocument document) {
        private static final Stored NOTHING = new Stored(null, null, RawDocument.EMPTY);

        Concerns concerns() {
            return new Concerns(
                    read == null ? Concerns.DEFAULT.read() : read, write == null ? Concerns.DEFAULT.write() : write);
        }
    }

    public DefaultConcerns(Transactions transactions, Catalog catalog) {
        this.transactions = transactions;
        this.catalog = catalog;
    }

    @Override
    public void visible(CommitRecord record) {
        record.forEach(Fact.Touched.class, touched -> {
            if (touched.namespace().equals(COLLECTION)) {
                known.set(new Known(null));
            }
        });
    }

    public Concerns concerns() {
        return stored().concerns();
    }

    /** As of now. */
    public Stored stored() {
        Known now = known.get();
        if (now.stored() != null) {
            return now.stored();
        }
        Stored read = read();
        // Unless there has been another commit meanwhile.
        known.compareAndSet(now, new Known(read));
        return read;
    }

    /** What is stored, even if this was just changed by another. */
    public Stored read() {
        try (Snapshot snapshot = transactions.snapshot()) {
            Collection collection = catalog.find(COLLECTION, snapshot);
            RawDocument found = collection == null ? null : collection.document(snapshot, collection.key(ID));
            return found == null ? Stored.NOTHING : parse(found);
        }
    }

    /** What users may have written there by other means counts only if it makes sense. */
    private static Stored parse(RawDocument found) {
        ReadConcern read = null;
        WriteConcern write = null;
        BsonWriter rest = new BsonWriter();
        for (var at = found.cursor(); at.next(); ) {
            Value value = at.value();
            if (value instanceof Value.Doc(RawDocument concern)) {
                try {
                    if (at.name().equals("defaultReadConcern")) {
                        read = ReadConcern.parse(
                                Arguments.ofDocument("defaultReadConcern", concern), ReadConcern.Level.LOCAL);
                    } else if (at.name().equals("defaultWriteConcern")) {
                        write = WriteConcern.parse(concern, WriteConcern.DEFAULT)
                                .asDefault();
                    }
                } catch (CommandException e) {
                    continue;
                }
            }
            if (!at.name().equals("_id")) {
                rest.copy(at);
            }
        }
        return new Stored(read == null ? null : read.asDefault(), write, rest.finish());
    }

    /** Puts a changed document, without its {@code _id}, in the place of the one that is stored, which may be empty. */
    public void store(Transaction transaction, UnaryOperator<RawDocument> change) {
        Collection collection = catalog.locks().forInsert(COLLECTION, transaction);
        byte[] key = collection.key(ID);
        transaction.lockExclusive(Table.DOCUMENTS, key);
        byte[] before = transaction.latest(Table.DOCUMENTS, key);
        RawDocument after = new BsonWriter()
                .put("_id", ID)
                .copyAll(change.apply(before == null ? RawDocument.EMPTY : RawDocument.of(before)))
                .finish();
        if (before == null) {
            collection.insert(transaction, after);
        } else {
            collection.update(transaction, key, RawDocument.of(before), after);
        }
    }

    /** Refuses what a default must not be. */
    public static void check(ReadConcern concern) {
        ReadConcern.Level level = concern.level();
        if (level == ReadConcern.Level.LINEARIZABLE || level == ReadConcern.Level.SNAPSHOT) {
            throw unsuitable("level: '" + level + "'");
        }
        if (concern.afterClusterTime() != 0) {
            throw unsuitable("'afterClusterTime'");
        }
        if (concern.atClusterTime() != 0) {
            throw unsuitable("'atClusterTime'");
        }
    }

    private static CommandException unsuitable(String what) {
        return new CommandException(ErrorCode.BadValue, "%s is not suitable for the default read concern", what);
    }

    /** Refuses what a default must not be. */
    public static void check(WriteConcern concern) {
        if (concern.nodes() == 0 && !Boolean.TRUE.equals(concern.journal())) {
            throw new CommandException(
                    ErrorCode.BadValue, "Unacknowledged write concern is not suitable for the default write concern");
        }
    }
}
