package dev.semel.server.catalog;

import dev.semel.store.Snapshot;
import dev.semel.store.Transaction;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collections that are filled beside the one whose place they take in the end: with its options and indexes, and marked,
 * so that a server that starts clears away what another has left of them.
 */
public final class TemporaryCollections {
    static final String TEMPORARY = "temp";

    private final Ddl ddl;
    private final Catalog catalog;
    private final Supplier<UUID> uuids;

    public TemporaryCollections(Ddl ddl, Supplier<UUID> uuids) {
        this.ddl = ddl;
        this.catalog = ddl.catalog();
        this.uuids = uuids;
    }

    /**
     * One in progress.
     *
     * @param original the collection as it was when this began; null if there was none
     */
    public record TemporaryCollection(
            Namespace namespace, Namespace target, @Nullable Collection original) {}

    /**
     * Whether a collection of this name could be replaced.
     *
     * @param timeSeries what it is to be; null to leave it as it is
     */
    public void check(Namespace target, @Nullable TimeSeries timeSeries) {
        Names.checkNew(target);
        Collection present = catalog.newest(target);
        if (present != null && present.requireDocuments().order() != null) {
            throw new CommandException(
                    ErrorCode.location(17152), "namespace '%s' is capped so it can't be used for $out", target);
        }
        checkKind(present, timeSeries);
    }

    private static void checkKind(@Nullable Collection present, @Nullable TimeSeries wanted) {
        if (present == null || wanted == null) {
            return;
        }
        TimeSeries found = present.timeSeries();
        if (found == null) {
            throw new CommandException(
                    ErrorCode.location(7268700),
                    "Cannot create a time-series collection from a non time-series collection or view.");
        }
        if (!wanted.keepsLike(found)) {
            throw new CommandException(
                    ErrorCode.location(7406103),
                    "Time-series options inputted must match the existing time-series collection. Received: %s Found:"
                            + " %s",
                    Shell.text(options(wanted)),
                    Shell.text(options(found)));
        }
    }

    private static RawDocument options(TimeSeries timeSeries) {
        BsonWriter options = new BsonWriter();
        timeSeries.writeTo(options);
        return options.finish();
    }

    /** An empty one; if there is none to be replaced, with the given kind. */
    public TemporaryCollection begin(Namespace target, @Nullable TimeSeries timeSeries, Ddl.Scope scope) {
        Namespace namespace = new Namespace(target.database(), "tmp.agg_out." + uuids.get());
        Collection original = ddl.run(scope, change -> {
                    Collection present = catalog.newest(target, change.transaction());
                    checkKind(present, timeSeries);
                    make(namespace, present, timeSeries, change.transaction());
                    return new Present(present);
                })
                .result()
                .collection();
        return new TemporaryCollection(namespace, target, original);
    }

    private record Present(@Nullable Collection collection) {}

    private void make(
            Namespace namespace, @Nullable Collection like, @Nullable TimeSeries timeSeries, Transaction transaction) {
        RawDocument options =
                like != null ? like.options() : timeSeries == null ? RawDocument.EMPTY : options(timeSeries);
        RawDocument marked =
                new BsonWriter().copyAll(options).put(TEMPORARY, true).finish();
        Collection made = catalog.writer().create(namespace, marked, transaction);
        if (made == null) {
            throw new IllegalStateException("a random name is taken: " + namespace);
        }
        List<IndexSpec> indexes = like != null
                ? like.secondary().stream().map(Index::spec).toList()
                : timeSeries == null ? List.of() : timeSeries.indexes();
        if (!indexes.isEmpty()) {
            catalog.writer().addIndexes(made, indexes, transaction, entries -> {});
        }
    }

    /** Puts it in the place of its original, which must still be what it was. */
    public Ddl.Done<Boolean> finish(TemporaryCollection temporary, Ddl.Scope scope) {
        return ddl.replace(
                temporary.namespace(),
                temporary.target(),
                target -> {
                    if (!isSame(temporary.original(), target)) {
                        throw new CommandException(
                                ErrorCode.CommandFailed,
                                "the collection %s was created, dropped or changed its options or indexes while its"
                                        + " replacement was being written",
                                temporary.target());
                    }
                },
                filled -> published(filled, temporary),
                scope);
    }

    /**
     * If it was dropped meanwhile, by a client or because this node ceased to be the primary, what was inserted afterwards has made
     * another of its name, without the mark and what came before.
     */
    private static CollectionEntry published(CollectionEntry filled, TemporaryCollection temporary) {
        if (!Value.TRUE.equals(filled.options().get(TEMPORARY))) {
            throw dropped(temporary.target());
        }
        return unmarked(filled);
    }

    static CommandException dropped(Namespace target) {
        return new CommandException(
                ErrorCode.CommandFailed,
                "the replacement of the collection %s was dropped while it was being written",
                target);
    }

    private static boolean isSame(@Nullable Collection before, @Nullable Collection now) {
        if (before == null || now == null) {
            return before == null && now == null;
        }
        return before.options().equals(now.options())
                && before.secondary().stream()
                        .map(Index::spec)
                        .toList()
                        .equals(now.secondary().stream().map(Index::spec).toList());
    }

    static CollectionEntry unmarked(CollectionEntry entry) {
        BsonWriter options = new BsonWriter();
        for (var at = entry.options().cursor(); at.next(); ) {
            if (!at.name().equals(TEMPORARY)) {
                options.copy(at);
            }
        }
        return entry.withOptions(options.finish());
    }

    /** Nothing is to come of it. */
    public void abandon(TemporaryCollection temporary, Ddl.Scope scope) {
        ddl.drop(temporary.namespace(), scope);
    }

    /** Before the first one is written. */
    public void clear(Ddl.Scope scope) {
        List<Namespace> left;
        try (Snapshot snapshot = catalog.transactions().snapshot()) {
            left = catalog.all(snapshot).stream()
                    .filter(each -> Value.TRUE.equals(each.options().get(TEMPORARY)))
                    .map(Collection::namespace)
                    .toList();
        }
        left.forEach(each -> ddl.drop(each, scope));
    }
}
