package dev.semel.server.catalog;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at everything that is stored of a collection, in one snapshot: that each document is sound and stands under its
 * own {@code _id}, that it has the index entries it must have, and that there are no others.
 */
public final class Validation {
    private static final int KEYS_PER_CHECK = 256;
    private static final int SHOWN_MAX = 100;

    private final Collection collection;
    private final Snapshot snapshot;
    private final Interruption interruption;
    private final Map<Index, Findings> byIndex = new LinkedHashMap<>();
    private final List<RawDocument> missing = new ArrayList<>();
    private final List<RawDocument> extra = new ArrayList<>();
    private final List<Value> corrupt = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private long documents;
    private long bytes;
    private long nonCompliant;

    private static final class Findings {
        private long expected;
        private long missing;
        private long found;
        private final List<String> errors = new ArrayList<>();

        void error(String what) {
            if (errors.size() < SHOWN_MAX) {
                errors.add(what);
            }
        }

        long extra() {
            return found - (expected - missing);
        }
    }

    private Validation(Collection collection, Snapshot snapshot, Interruption interruption) {
        this.collection = collection;
        this.snapshot = snapshot;
        this.interruption = interruption;
    }

    /** What was found. */
    public interface Report {
        boolean areIndexesValid();

        /** As {@code validate} answers. */
        BsonWriter describe(boolean repaired);
    }

    /** Looks at everything. */
    public static Report of(Collection collection, Snapshot snapshot, Interruption interruption) {
        Validation validation = new Validation(collection, snapshot, interruption);
        collection.indexes().forEach(each -> validation.byIndex.put(each, new Findings()));
        validation.readDocuments();
        collection.secondary().forEach(validation::readIndex);
        return validation.report();
    }

    // ---- from the documents to the entries

    private void readDocuments() {
        try (Scan scan = snapshot.scan(Table.DOCUMENTS, collection.documents(), false)) {
            while (scan.next()) {
                if (documents % KEYS_PER_CHECK == 0) {
                    interruption.check();
                }
                documents++;
                byte[] value = scan.value();
                bytes += value.length;
                RawDocument document = sound(scan.key(), value);
                if (document != null) {
                    readDocument(scan.key(), document);
                }
            }
        }
        Findings id = findings(collection.indexes().getFirst());
        id.found = documents;
        id.expected = documents;
    }

    private @Nullable RawDocument sound(byte[] key, byte[] value) {
        try {
            BsonValidation.check(value, 0, value.length);
            RawDocument document = RawDocument.of(value);
            if (collection.isKey(key, document)) {
                return document;
            }
            error("a document stands under another _id than its own: " + Shell.text(Collection.id(document)));
        } catch (CommandException | IllegalArgumentException e) {
            error("a document is damaged: " + e.getMessage());
        }
        if (corrupt.size() < SHOWN_MAX) {
            corrupt.add(new Value.Binary((byte) 0, key));
        }
        return null;
    }

    private void readDocument(byte[] key, RawDocument document) {
        if (!collection.complies(document)) {
            nonCompliant++;
        }
        for (Index index : collection.secondary()) {
            Findings findings = findings(index);
            EntryFormat.Entries entries = EntryFormat.entries(index, key, document);
            if (!entries.byKey().isEmpty() && !index.multikey().isStored(entries.arrays())) {
                findings.error("index is not marked as multikey, but a document has an array: "
                        + Shell.text(Collection.id(document)));
            }
            for (EntryFormat.Entry entry : entries.byKey().values()) {
                findings.expected++;
                byte[] stored = snapshot.get(Table.INDEXES, entry.key());
                if (stored != null && !isRight(stored, index, document, entry)) {
                    findings.error(
                            "index entry holds something else than " + Shell.text(Collection.id(document)) + " has");
                }
                if (stored == null) {
                    findings.missing++;
                    findings.error("index entry missing for " + Shell.text(entry.shown(index)));
                    show(missing, index, Collection.id(document), entry.shown(index));
                }
            }
        }
    }

    /** Older versions wrote nothing where there may be types now. */
    private static boolean isRight(byte[] stored, Index index, RawDocument document, EntryFormat.Entry entry) {
        byte[] whole = index.entryValue(document);
        return whole == null
                ? stored.length == 0 || Arrays.equals(stored, entry.types())
                : Arrays.equals(stored, whole);
    }

    // ---- from the entries to the documents

    private void readIndex(Index index) {
        Findings findings = findings(index);
        byte @Nullable [] last = null;
        try (Scan scan = snapshot.scan(Table.INDEXES, index.range(), false)) {
            while (scan.next()) {
                if (findings.found % KEYS_PER_CHECK == 0) {
                    interruption.check();
                }
                findings.found++;
                byte[] key = scan.key();
                if (index.spec().unique() && last != null && EntryFormat.haveSameValues(index, last, key)) {
                    findings.error("unique index has two entries for one value");
                }
                last = key;
            }
        }
        findExtra(index, findings);
    }

    /**
     * Each entry that a document must have has been looked up, so their number alone says whether there are others. Only
     * then are they looked for: that takes all entries of a document for each of them, and a text has many thousands.
     */
    private void findExtra(Index index, Findings findings) {
        long remaining = findings.extra();
        if (remaining == 0) {
            return;
        }
        try (Scan scan = snapshot.scan(Table.INDEXES, index.range(), false)) {
            while (remaining > 0 && scan.next()) {
                interruption.check();
                if (!isWanted(index, scan.key(), findings)) {
                    remaining--;
                }
            }
        }
    }

    private boolean isWanted(Index index, byte[] key, Findings findings) {
        byte[] documentKey = index.documentKey(key);
        RawDocument document = collection.document(snapshot, documentKey);
        boolean wanted = document != null
                && EntryFormat.entries(index, documentKey, document).byKey().containsKey(key);
        if (!wanted) {
            findings.error("index entry leads to no document that has its values");
            show(extra, index, document == null ? Value.NULL : Collection.id(document), RawDocument.EMPTY);
        }
        return wanted;
    }

    // ---- the report

    private Findings findings(Index index) {
        return byIndex.computeIfAbsent(index, each -> new Findings());
    }

    private void error(String what) {
        if (errors.size() < SHOWN_MAX) {
            errors.add(what);
        }
    }

    private static void show(List<RawDocument> list, Index index, Value id, RawDocument values) {
        if (list.size() < SHOWN_MAX) {
            list.add(new BsonWriter()
                    .put("indexName", index.name())
                    .put("idKey", id)
                    .put("indexKey", values)
                    .finish());
        }
    }

    private void compareWithCount() {
        Sizes.Total total = collection.size(interruption);
        if (total.documents() != documents || total.bytes() != bytes) {
            // The count is of now, the snapshot of a moment ago; with writers between them they may differ.
            warnings.add("%d documents with %d bytes were found, %d with %d are accounted for"
                    .formatted(documents, bytes, total.documents(), total.bytes()));
        }
    }

    private Report report() {
        compareWithCount();
        boolean valid = errors.isEmpty();
        for (var each : byIndex.entrySet()) {
            Findings findings = each.getValue();
            if (findings.expected != findings.found) {
                findings.error("%d entries were found, %d expected".formatted(findings.found, findings.expected));
            }
            if (!findings.errors.isEmpty()) {
                valid = false;
                error("index '%s' is not consistent with the collection"
                        .formatted(each.getKey().name()));
            }
        }
        if (nonCompliant > 0) {
            warnings.add("Detected one or more documents that do not match the collection's validator.");
        }
        boolean isValid = valid;
        return new Report() {
            @Override
            public boolean areIndexesValid() {
                return byIndex.values().stream().allMatch(each -> each.errors.isEmpty());
            }

            @Override
            public BsonWriter describe(boolean repaired) {
                return Validation.this.describe(isValid, repaired);
            }
        };
    }

    private BsonWriter describe(boolean valid, boolean repaired) {
        BsonWriter out = new BsonWriter()
                .put("ns", collection.namespace().toString())
                .put("uuid", collection.uuidValue())
                .put("nInvalidDocuments", (long) corrupt.size())
                .put("nNonCompliantDocuments", nonCompliant)
                .put("nrecords", documents)
                .put("nIndexes", byIndex.size());
        out.startDocument("keysPerIndex");
        byIndex.forEach((index, findings) -> out.put(index.name(), findings.found));
        out.end().startDocument("indexDetails");
        byIndex.forEach((index, findings) -> {
            out.startDocument(index.name()).put("valid", findings.errors.isEmpty());
            if (!findings.errors.isEmpty()) {
                strings(out, "errors", findings.errors);
            }
            out.end();
        });
        out.end().put("valid", valid).put("repaired", repaired).put("readOnly", false);
        strings(out, "warnings", warnings);
        strings(out, "errors", errors);
        out.startArray("extraIndexEntries");
        extra.forEach(out::add);
        out.end().startArray("missingIndexEntries");
        missing.forEach(out::add);
        out.end().startArray("corruptRecords");
        corrupt.forEach(out::add);
        return out.end();
    }

    private static void strings(BsonWriter out, String name, List<String> strings) {
        out.startArray(name);
        strings.forEach(out::add);
        out.end();
    }
}
