package dev.semel.server.catalog;

import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.store.Commit;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes indexes, all that are asked for or none: beside writers if there are documents ({@link OnlineIndexBuild}), at
 * once if there are none, and within an open transaction as a part of it ({@link IndexBuildInside}).
 */
public final class IndexBuilds {
    static final int INDEXES_MAX = 64;
    private static final int GROUP_MAX = 1_000;
    private static final int KEYS_PER_CHECK = 1_024;

    private final Ddl ddl;
    private final Catalog catalog;

    public IndexBuilds(Ddl ddl) {
        this.ddl = ddl;
        this.catalog = ddl.catalog();
    }

    /**
     * How many indexes there were and are.
     *
     * @param readDocuments whether there were documents to build them from
     */
    public record Result(int before, int after, boolean createdCollection, boolean readDocuments) {}

    public Ddl.Done<Result> create(Namespace namespace, List<IndexSpec> specs, Ddl.Scope scope) {
        specs.forEach(this::checkPartial);
        while (true) {
            if (scope.open() == null) {
                ddl.builds().awaitNone(namespace, scope.interruption());
            }
            Ddl.Done<@Nullable Result> done = ddl.<@Nullable Result>run(
                    scope, change -> createAtOnce(namespace, specs, change.transaction(), scope));
            Result result = done.result();
            if (result != null) {
                return new Ddl.Done<>(result, done.commit());
            }
            Ddl.Done<Result> built = buildBeside(namespace, specs, scope.interruption());
            if (built != null) {
                return built;
            }
        }
    }

    /** Null, and nothing done, if there are documents and no open transaction that it belongs to. */
    private @Nullable Result createAtOnce(
            Namespace namespace, List<IndexSpec> specs, Transaction transaction, Ddl.Scope scope) {
        catalog.writer().lockName(namespace, transaction);
        Collection existing = catalog.newest(namespace, transaction);
        if (existing == null) {
            Collection created = catalog.writer().create(namespace, RawDocument.EMPTY, transaction);
            return addMissing(Objects.requireNonNull(created), true, specs, transaction, scope);
        }
        boolean isPart = scope.open() != null;
        if (!isPart && reads(existing.requireDocuments(), specs, transaction)) {
            return null;
        }
        transaction.lockCollection(existing.requireDocuments().number(), LockMode.SHARED);
        // The first document may have been inserted before the lock was granted.
        if (!isPart && reads(existing, specs, transaction)) {
            return null;
        }
        return addMissing(existing, false, specs, transaction, scope);
    }

    private Result addMissing(
            Collection collection, boolean isNew, List<IndexSpec> specs, Transaction transaction, Ddl.Scope scope) {
        int before = collection.indexes().size();
        List<IndexSpec> missing = missing(collection, collated(specs, collection));
        if (!missing.isEmpty()) {
            make(collection, missing, transaction, scope);
        }
        return new Result(before, before + missing.size(), isNew, false);
    }

    /** Null if there is nothing to build any more. */
    private Ddl.@Nullable Done<Result> buildBeside(
            Namespace namespace, List<IndexSpec> specs, Interruption interruption) {
        // Keeps the name locked: the entry of the collection stays what the build makes of it.
        try (Transaction guard = ddl.begin(interruption)) {
            catalog.writer().lockName(namespace, guard);
            Collection existing = catalog.newest(namespace, guard);
            if (existing == null || !reads(existing.requireDocuments(), specs, guard)) {
                return null;
            }
            List<IndexSpec> missing = missing(existing, collated(specs, existing));
            int before = existing.indexes().size();
            Commit commit = build(existing, missing, interruption);
            return new Ddl.Done<>(new Result(before, before + missing.size(), false, true), commit);
        }
    }

    /** Makes all indexes of a collection anew, beside writers; what they were like before. */
    public Ddl.Done<List<IndexSpec>> rebuild(Namespace namespace, Interruption interruption) {
        ddl.builds().awaitNone(namespace, interruption);
        try (Transaction guard = ddl.begin(interruption)) {
            catalog.writer().lockName(namespace, guard);
            Collection existing = catalog.newest(namespace, guard);
            if (existing == null) {
                throw new CommandException(ErrorCode.NamespaceNotFound, "collection does not exist");
            }
            if (existing.view() != null) {
                throw new CommandException(ErrorCode.CommandNotSupportedOnView, "can't re-index a view");
            }
            List<IndexSpec> all =
                    existing.shownIndexes().stream().map(Index::spec).toList();
            List<CollectionEntry.IndexEntry> secondary = existing.entry().indexes();
            if (secondary.isEmpty()) {
                return new Ddl.Done<>(all, null);
            }
            List<IndexSpec> specs =
                    secondary.stream().map(CollectionEntry.IndexEntry::spec).toList();
            return new Ddl.Done<>(all, new OnlineIndexBuild(ddl, existing, specs, secondary, interruption).run());
        }
    }

    private Commit build(Collection existing, List<IndexSpec> missing, Interruption interruption) {
        try {
            return new OnlineIndexBuild(ddl, existing, missing, List.of(), interruption).run();
        } catch (CommandException e) {
            throw e.inContext("Index build failed: %s: Collection %s ( %s )"
                    .formatted(catalog.writer().newUuid(), existing.namespace(), existing.uuid()));
        }
    }

    /** Whether these indexes would be new on a collection that is older than the transaction, or that has documents. */
    public boolean changesExisting(Namespace namespace, List<IndexSpec> specs, Transaction transaction) {
        Collection existing = catalog.newest(namespace, transaction);
        return existing != null
                && !missing(existing, collated(specs, existing)).isEmpty()
                && (catalog.newest(namespace) != null || reads(existing, specs, transaction));
    }

    private static boolean reads(Collection existing, List<IndexSpec> specs, Transaction transaction) {
        if (missing(existing, collated(specs, existing)).isEmpty()) {
            return false;
        }
        try (Snapshot latest = transaction.latest();
                Scan scan = latest.scan(Table.DOCUMENTS, existing.documents(), false)) {
            return scan.next();
        }
    }

    private void make(Collection collection, List<IndexSpec> specs, Transaction transaction, Ddl.Scope scope) {
        catalog.writer().addIndexes(collection, specs, transaction, made -> {
            if (scope.open() != null) {
                new IndexBuildInside(catalog, transaction, scope.interruption()).build(collection, made);
            }
        });
    }

    // ---- what is asked for and what is there

    private static List<IndexSpec> collated(List<IndexSpec> specs, Collection collection) {
        TimeSeries.checkIndexes(collection, specs);
        List<IndexSpec> collated = new ArrayList<>();
        for (IndexSpec each : specs) {
            IndexSpec spec = each.orElse(collection.collation());
            if (spec.key().isId() && !spec.collated().equals(collection.collation())) {
                throw new CommandException(
                        ErrorCode.BadValue,
                        "The _id index must have the same collation as the collection. Index collation: %s, collection"
                                + " collation: %s",
                        Shell.text(spec.collated().document()),
                        Shell.text(collection.collation().document()));
            }
            if (spec.expireAfterSeconds() != null && collection.order() != null) {
                throw new CommandException(
                        ErrorCode.CannotCreateIndex, "Cannot create TTL index on a capped collection");
            }
            collated.add(spec);
        }
        return collated;
    }

    private static List<IndexSpec> missing(Collection collection, List<IndexSpec> specs) {
        List<IndexSpec> there = new ArrayList<>();
        collection.indexes().forEach(each -> there.add(each.spec()));
        List<IndexSpec> missing = new ArrayList<>();
        for (IndexSpec spec : specs) {
            if (exists(spec, there)) {
                continue;
            }
            if (there.size() >= INDEXES_MAX) {
                throw new CommandException(
                        ErrorCode.CannotCreateIndex,
                        "add index fails, too many indexes for %s key:%s",
                        collection.namespace(),
                        spec.key());
            }
            there.add(spec);
            missing.add(spec);
        }
        return missing;
    }

    private static boolean exists(IndexSpec spec, List<IndexSpec> there) {
        for (IndexSpec existing : there) {
            IndexSpec.Likeness likeness = spec.likeness(existing);
            boolean sameName = spec.name().equals(existing.name());
            // A client that asks for the index on _id need not know what that of a clustered collection is called.
            if ((sameName || spec.key().isId()) && likeness == IndexSpec.Likeness.IDENTICAL) {
                return true;
            }
            if (sameName && likeness == IndexSpec.Likeness.EQUIVALENT) {
                throw conflict(
                        ErrorCode.IndexOptionsConflict,
                        "An equivalent index already exists with the same name but different options.",
                        spec,
                        existing);
            }
            if (sameName) {
                throw conflict(
                        ErrorCode.IndexKeySpecsConflict,
                        "An existing index has the same name as the requested index. When index names are not"
                                + " specified, they are auto generated and can cause conflicts. Please refer to our"
                                + " documentation.",
                        spec,
                        existing);
            }
            if (likeness == IndexSpec.Likeness.IDENTICAL) {
                throw new CommandException(
                        ErrorCode.IndexOptionsConflict,
                        "Index already exists with a different name: %s",
                        existing.name());
            }
            if (likeness == IndexSpec.Likeness.EQUIVALENT) {
                throw conflict(
                        ErrorCode.IndexOptionsConflict,
                        "An equivalent index already exists with a different name and options.",
                        spec,
                        existing);
            }
            if (spec.key().kind() == IndexKind.TEXT && existing.key().kind() == IndexKind.TEXT) {
                throw new CommandException(
                        ErrorCode.CannotCreateIndex,
                        "only one text index per collection allowed, found existing text index \"%s\"",
                        existing.name());
            }
        }
        return false;
    }

    private static CommandException conflict(ErrorCode code, String why, IndexSpec spec, IndexSpec existing) {
        return new CommandException(
                code,
                "%s Requested index: %s, existing index: %s",
                why,
                Shell.text(spec.toDocument()),
                Shell.text(existing.toDocument()));
    }

    /** Whether a query implies such a filter must be decidable. */
    private void checkPartial(IndexSpec spec) {
        RawDocument partial = spec.partialFilter();
        if (partial != null) {
            try {
                checkPartial(catalog.factory().parse(partial), partial);
            } catch (CommandException e) {
                throw IndexSpec.wrong(spec.toDocument(), e);
            }
        }
    }

    private static void checkPartial(Filter filter, RawDocument shown) {
        switch (filter) {
            case Filter.And(List<Filter> all) -> all.forEach(each -> checkPartial(each, shown));
            case Filter.Or(List<Filter> any) -> any.forEach(each -> checkPartial(each, shown));
            case Filter.Field(var path, Condition condition) when isDecidable(condition) -> {}
            case Filter.Always(boolean answer) when answer -> {}
            default ->
                throw new CommandException(
                        ErrorCode.CannotCreateIndex,
                        "Expression not supported in partial index: %s",
                        Shell.text(shown));
        }
    }

    private static boolean isDecidable(Condition condition) {
        return condition instanceof Condition.Compare
                || condition instanceof Condition.Exists
                || condition instanceof Condition.Type
                || (condition instanceof Condition.In in && in.patterns().isEmpty());
    }

    // ---- making an index unique

    /** The {@code _id}s of documents that share a key which a unique index may have once: up to a number of groups. */
    public static List<List<Value>> duplicates(
            Collection collection, Index index, Snapshot snapshot, int limit, Interruption interruption) {
        List<List<Value>> found = new ArrayList<>();
        List<Value> group = new ArrayList<>();
        byte @Nullable [] last = null;
        try (Scan scan = snapshot.scan(Table.INDEXES, index.range(), false)) {
            for (long count = 0; found.size() < limit && scan.next(); count++) {
                if (count % KEYS_PER_CHECK == 0) {
                    interruption.check();
                }
                byte[] key = scan.key();
                int end = index.valuesEnd(key);
                byte[] before = last;
                boolean same =
                        before != null && index.valuesEnd(before) == end && Arrays.equals(before, 0, end, key, 0, end);
                if (!same) {
                    addDuplicates(group, found);
                    group = new ArrayList<>();
                }
                RawDocument document = collection.document(snapshot, index.documentKey(key));
                if (document != null && group.size() < GROUP_MAX) {
                    group.add(Collection.id(document));
                }
                last = key;
            }
        }
        if (found.size() < limit) {
            addDuplicates(group, found);
        }
        return found;
    }

    private static void addDuplicates(List<Value> group, List<List<Value>> into) {
        if (group.size() > 1) {
            into.add(group);
        }
    }
}
