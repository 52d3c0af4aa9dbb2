package dev.semel.server.catalog;

import dev.semel.query.filter.Filter;
import dev.semel.query.value.Collation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes collections of their stored entries; what is known of an index beside its entry is shared by all that have it. */
final class CollectionFactory {
    private final StoredFilters filters;
    private final Numbers numbers;
    private final Sizes sizes;
    private final Oplog oplog;

    /** By the number of the index; shared by all versions of a collection. */
    private final Map<Integer, Multikey> multikeys = new ConcurrentHashMap<>();

    /** By the number of an index that is being built. */
    private final Map<Integer, SkippedDocuments> skipped = new ConcurrentHashMap<>();

    CollectionFactory(StoredFilters filters, Numbers numbers, Sizes sizes, Oplog oplog) {
        this.filters = filters;
        this.numbers = numbers;
        this.sizes = sizes;
        this.oplog = oplog;
    }

    Collection collection(CollectionEntry entry) {
        List<Index> maintained = new ArrayList<>(entry.indexes().size());
        for (CollectionEntry.IndexEntry index : entry.indexes()) {
            maintained.add(index(entry.number(), index));
        }
        CollectionOptions options = CollectionOptions.read(entry.options());
        Collation collation = options.collated();
        TimeSeries series = options.timeSeries();
        IndexSpec order = (series == null ? id(options) : series.order()).with(collation);
        Index primary = new Index(
                entry.number(),
                entry.number(),
                order,
                IndexStage.READY,
                new SkippedDocuments(),
                new Multikey(1),
                filters);
        Validator validator = Validator.of(entry.options(), collation, filters);
        return new Collection(entry, maintained, primary, sizes, validator, oplog);
    }

    private static IndexSpec id(CollectionOptions options) {
        String name = options.clustered();
        return name == null ? IndexSpec.ID : IndexSpec.ID.named(name);
    }

    Index index(int collection, CollectionEntry.IndexEntry index) {
        SkippedDocuments skips = skipped.getOrDefault(index.number(), new SkippedDocuments());
        return new Index(collection, index.number(), index.spec(), index.stage(), skips, multikey(index), filters);
    }

    /** Old snapshots show indexes that have been dropped since: what those had met is not known any more. */
    private Multikey multikey(CollectionEntry.IndexEntry index) {
        Multikey known = multikeys.get(index.number());
        return known != null
                ? known
                : Multikey.unknown(index.spec().key().columns().size());
    }

    /** At the start: how each index is multikey. */
    void loadMultikey(Snapshot snapshot, CollectionEntry.IndexEntry index) {
        Multikey multikey = newMultikey(index);
        try (Scan scan = snapshot.scan(Table.CATALOG, CatalogRows.multikeysOf(index.number()), false)) {
            while (scan.next()) {
                multikey.store(scan.key()[5], scan.key()[6]);
            }
        }
    }

    private Multikey newMultikey(CollectionEntry.IndexEntry index) {
        Multikey fresh = new Multikey(index.spec().key().columns().size());
        multikeys.put(index.number(), fresh);
        return fresh;
    }

    /** By a commit: the index of an entry, which may be a new one. */
    void know(CollectionEntry.IndexEntry index) {
        multikeys.computeIfAbsent(
                index.number(),
                number -> new Multikey(index.spec().key().columns().size()));
    }

    /** By a commit. */
    void becameMultikey(int index, int field, int step) {
        Multikey multikey = multikeys.get(index);
        if (multikey != null) {
            multikey.store(field, step);
        }
    }

    /** An index that has met no document yet. */
    CollectionEntry.IndexEntry newIndex(IndexSpec spec) {
        CollectionEntry.IndexEntry index = CollectionEntry.IndexEntry.ready(numbers.next(), spec);
        newMultikey(index);
        return index;
    }

    /** From now on the build learns of documents that are skipped, until {@link #built}. */
    void building(CollectionEntry.IndexEntry index) {
        skipped.put(index.number(), new SkippedDocuments());
    }

    void built(CollectionEntry.IndexEntry index) {
        skipped.remove(index.number());
    }

    /** One that has been dropped, or whose creation has failed. */
    void forgetIndex(int number) {
        multikeys.remove(number);
    }

    /** Whether options can be stored: a validator must be a filter. */
    void check(RawDocument options) {
        if (options.get("validator") instanceof Value.Doc(RawDocument rule)) {
            filters.parseNew(rule);
        }
    }

    Filter parse(RawDocument filter) {
        return filters.parseNew(filter);
    }
}
