package dev.semel.server.catalog;

import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes indexes. Those who write to the collection wait meanwhile, those who read do not. Entries are written in chunks,
 * each committed by itself, under a number that no collection names; the last commit gives the collection the finished
 * indexes, all of them or none. What a failure or a crash leaves under such numbers is removed.
 */
public final class IndexBuilds {
    static final int INDEXES_MAX = 64;
    private static final int GROUP_MAX = 1_000;
    private static final int CHUNK_DOCUMENTS = 1_000;
    private static final int CHUNK_BYTES = 4 * 1024 * 1024;

    private final Ddl ddl;
    private final Catalog catalog;

    public IndexBuilds(Ddl ddl) {
        this.ddl = ddl;
        this.catalog = ddl.catalog();
    }

    /** How many indexes there were and are. */
    public record Result(int before, int after, boolean createdCollection) {}

    public Ddl.Done<Result> create(Namespace namespace, List<IndexSpec> specs, Ddl.Scope scope) {
        specs.forEach(this::checkPartial);
        return ddl.run(scope, change -> {
            Transaction transaction = change.transaction();
            catalog.lockName(namespace, transaction);
            Collection existing = catalog.newest(namespace, transaction);
            boolean isNew = existing == null;
            if (existing == null) {
                existing = catalog.create(namespace, RawDocument.EMPTY, transaction);
            } else {
                transaction.lockCollection(existing.number(), LockMode.SHARED);
            }
            if (existing == null) {
                throw new IllegalStateException("the name is locked and was free: " + namespace);
            }
            existing.requireDocuments();
            List<IndexSpec> missing = missing(existing, collated(specs, existing));
            int before = existing.indexes().size();
            if (!missing.isEmpty()) {
                make(existing, missing, isNew, transaction, scope);
            }
            return new Result(before, before + missing.size(), isNew);
        });
    }

    /** Whether making these indexes means to go through documents. */
    public boolean reads(Namespace namespace, List<IndexSpec> specs, Transaction transaction) {
        Collection existing = catalog.newest(namespace, transaction);
        if (existing == null || missing(existing, collated(specs, existing)).isEmpty()) {
            return false;
        }
        try (Snapshot latest = transaction.latest();
                Scan scan = latest.scan(Table.DOCUMENTS, existing.documents(), false)) {
            return scan.next();
        }
    }

    private void make(
            Collection collection, List<IndexSpec> specs, boolean isNew, Transaction transaction, Ddl.Scope scope) {
        List<CollectionEntry.IndexEntry> made =
                specs.stream().map(catalog::newIndex).toList();
        transaction.onEnd((committed, clusterTime) -> {
            if (!committed) {
                made.forEach(catalog::forgetIndex);
            }
        });
        if (scope.open() != null) {
            new IndexBuildInside(catalog, transaction, scope.interruption()).build(collection, made);
        } else if (!isNew) {
            build(collection, made, scope.interruption());
        }
        List<CollectionEntry.IndexEntry> all =
                new ArrayList<>(collection.entry().indexes());
        all.addAll(made);
        catalog.put(collection.entry().withIndexes(all), transaction);
        made.forEach(each -> {
            transaction.delete(Table.CATALOG, CatalogRows.build(each.number()));
            catalog.oplog().changed(transaction, new CatalogChange.IndexCreated(collection, each.spec()));
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
            if (sameName && likeness == IndexSpec.Likeness.IDENTICAL) {
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
            checkPartial(catalog.parse(partial), partial);
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

    // ---- the entries

    private void build(Collection collection, List<CollectionEntry.IndexEntry> made, Interruption interruption) {
        boolean built = false;
        try {
            writeEntries(collection, made, interruption);
            built = true;
        } finally {
            if (!built) {
                abandon(made);
            }
        }
    }

    private void abandon(List<CollectionEntry.IndexEntry> made) {
        try (Transaction transaction = plain(Interruption.unlimited())) {
            made.forEach(each -> catalog.removeBuild(transaction, each.number()));
            transaction.commit().awaitApplied();
        }
    }

    private Transaction plain(Interruption interruption) {
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.CATALOG_CHANGE, Duration.ofSeconds(1));
        return catalog.transactions().begin(Isolation.STATEMENT, policy, interruption);
    }

    private void writeEntries(Collection collection, List<CollectionEntry.IndexEntry> made, Interruption interruption) {
        List<Index> indexes = made.stream()
                .map(each -> catalog.index(collection.number(), each))
                .toList();
        try (Snapshot snapshot = catalog.transactions().snapshot();
                Scan documents = snapshot.scan(Table.DOCUMENTS, collection.documents(), false)) {
            if (!documents.next()) {
                return;
            }
            try (Transaction first = plain(interruption)) {
                made.forEach(each -> first.put(Table.CATALOG, CatalogRows.build(each.number()), new byte[0]));
                first.commit().awaitApplied();
            }
            boolean more = true;
            while (more) {
                interruption.check();
                try (Transaction chunk = plain(interruption)) {
                    more = writeChunk(collection, indexes, documents, chunk);
                    chunk.commit().awaitApplied();
                }
            }
        }
    }

    /** From the document that the scan stands at; whether it stands at another one afterwards. */
    private static boolean writeChunk(Collection collection, List<Index> indexes, Scan documents, Transaction chunk) {
        int bytes = 0;
        for (int count = 0; count < CHUNK_DOCUMENTS && bytes < CHUNK_BYTES; count++) {
            byte[] value = documents.value();
            bytes += value.length;
            for (Index index : indexes) {
                add(collection, index, documents.key(), RawDocument.of(value), chunk);
            }
            if (!documents.next()) {
                return false;
            }
        }
        return true;
    }

    /** Writes what one document has in an index. */
    static void add(Collection collection, Index index, byte[] key, RawDocument document, Transaction transaction) {
        EntryFormat.Entries entries = EntryFormat.entries(index, key, document);
        for (EntryFormat.Entry entry : entries.byKey().values()) {
            if (index.spec().unique()) {
                try (Snapshot latest = transaction.latest()) {
                    if (EntryChanges.holdsOther(latest, entry)) {
                        throw EntryChanges.duplicate(collection, index, entry);
                    }
                }
            }
            transaction.put(Table.INDEXES, entry.key(), new byte[0]);
        }
        EntryChanges.flipMultikey(transaction, index, entries.arrays());
    }

    // ---- making an index unique

    /** The {@code _id}s of documents that share a key which a unique index may have once: up to so many groups. */
    public static List<List<Value>> duplicates(Collection collection, Index index, Snapshot snapshot, int limit) {
        List<List<Value>> found = new ArrayList<>();
        List<Value> group = new ArrayList<>();
        byte @Nullable [] last = null;
        try (Scan scan = snapshot.scan(Table.INDEXES, index.range(), false)) {
            while (found.size() < limit && scan.next()) {
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
