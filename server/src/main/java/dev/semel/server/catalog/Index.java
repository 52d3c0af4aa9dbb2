package dev.semel.server.catalog;

import dev.semel.query.filter.Filter;
import dev.semel.query.geo.CellSpace;
import dev.semel.query.text.TextSpec;
import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.IndexKeys;
import dev.semel.query.value.Numbers;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.store.key.KeyWriter;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An index of a collection: which documents have which keys in it. The one on {@code _id}, or on the time of measurements,
 * is the order of the documents themselves and has no entries of its own.
 */
public final class Index {
    private final int number;
    private final byte[] collectionPrefix;
    private final IndexSpec spec;
    private final boolean primary;
    private final boolean clustering;
    private final IndexStage stage;
    private final SkippedDocuments skipped;
    private final Multikey multikey;
    private final List<KeyColumn> columns;
    private final List<DottedPath> paths;
    private final KeyGenerator keys;
    private final @Nullable CellSpace cells;
    private final @Nullable TextSpec text;
    private final List<DottedPath> reads;
    private final boolean[] descending;
    private final byte[] prefix;
    private final @Nullable Filter partial;
    private final boolean keepsTypes;

    Index(
            int collection,
            int number,
            IndexSpec spec,
            IndexStage stage,
            SkippedDocuments skipped,
            Multikey multikey,
            StoredFilters filters) {
        this.collectionPrefix = CatalogRows.prefix(collection);
        this.number = number;
        this.spec = spec;
        this.stage = stage;
        this.skipped = skipped;
        this.primary = collection == number;
        this.clustering = spec.clustering();
        this.multikey = multikey;
        this.columns = spec.key().columns();
        this.paths = columns.stream().map(KeyColumn::path).toList();
        this.keys = KeyGenerator.of(spec);
        this.cells = spec.key().kind().isGeo() ? spec.cells() : null;
        this.text = spec.key().kind() == IndexKind.TEXT ? spec.text() : null;
        this.reads = keys.reads(paths);
        this.descending = new boolean[columns.size()];
        for (int i = 0; i < descending.length; i++) {
            descending[i] = !columns.get(i).ascending();
        }
        this.prefix = CatalogRows.prefix(number);
        RawDocument filter = spec.partialFilter();
        this.partial = filter == null ? null : filters.parse(filter, spec.collated());
        this.keepsTypes = EntryFields.areKept(this);
    }

    /** No other index has it, and none will. */
    public int number() {
        return number;
    }

    public IndexSpec spec() {
        return spec;
    }

    public String name() {
        return spec.name();
    }

    /** How it compares texts. */
    public Collation collation() {
        return spec.collated();
    }

    public KeyPattern key() {
        return spec.key();
    }

    /** How it divides the sphere or the plane, if it is an index on shapes. */
    public CellSpace cells() {
        CellSpace known = cells;
        if (known == null) {
            throw new IllegalStateException(this + " has no cells");
        }
        return known;
    }

    /** What it has of texts, if it is a text index. */
    public TextSpec text() {
        TextSpec known = text;
        if (known == null) {
            throw new IllegalStateException(this + " is no text index");
        }
        return known;
    }

    /** Which paths of a document make a difference to its keys; empty if any may. */
    List<DottedPath> reads() {
        return reads;
    }

    public IndexKind kind() {
        return spec.key().kind();
    }

    /** What its keys consist of. */
    public List<KeyColumn> columns() {
        return columns;
    }

    /** Of its columns. */
    public List<DottedPath> paths() {
        return paths;
    }

    /** Whether this is the order of the documents themselves. */
    public boolean isPrimary() {
        return primary;
    }

    /** Whether its entries, or those of the documents themselves, have all of a document. */
    public boolean hasDocuments() {
        return primary || clustering;
    }

    /** What every entry of a document holds beside its key; null if each holds its own {@link EntryFormat.Entry#types}. */
    byte @Nullable [] entryValue(RawDocument document) {
        return clustering ? document.toBytes() : null;
    }

    /** Whether its entries say more of the values than their order demands. */
    boolean keepsTypes() {
        return keepsTypes;
    }

    /**
     * Whether entries have the whole value of the field of this name, so that {@link #fields} may know it. Those of documents
     * with arrays never do.
     */
    public boolean shows(String field) {
        return column(field) >= 0;
    }

    private int column(String field) {
        for (int i = 0; keepsTypes && i < paths.size(); i++) {
            if (EntryFields.canShow(this, i) && paths.get(i).first().equals(field)) {
                return i;
            }
        }
        return -1;
    }

    /** Which columns have these fields. */
    public boolean[] columnsOf(Set<String> fields) {
        boolean[] wanted = new boolean[paths.size()];
        for (String each : fields) {
            wanted[column(each)] = true;
        }
        return wanted;
    }

    /**
     * Some of the fields of the document that an entry leads to, as they are stored; null if only the document says.
     *
     * @param wanted from {@link #columnsOf}
     */
    public @Nullable RawDocument fields(byte[] entryKey, byte[] entryValue, boolean[] wanted) {
        return EntryFields.read(this, entryKey, entryValue, wanted);
    }

    /**
     * Where the keys begin that have other values in the first columns; null if the last of these values is null, which
     * may stand for a field that is missing, or if there are no such keys. Backwards, all such keys are before this one.
     */
    public byte @Nullable [] beyondValues(byte[] entryKey, int columns, boolean reverse) {
        return EntryFormat.beyondValues(this, entryKey, columns, reverse);
    }

    /** The key that the entry of another document with the same values has; of an index that has no documents itself. */
    public byte[] withSameValues(byte[] entryKey, byte[] documentKey) {
        return EntryFormat.withSameValues(this, entryKey, documentKey);
    }

    /** Whether no two documents can have the same values in it. */
    public boolean isUnique() {
        return spec.unique() || spec.key().isId();
    }

    /** Where its keys are. */
    public Table table() {
        return primary ? Table.DOCUMENTS : Table.INDEXES;
    }

    /** What all its keys begin with; not to be changed. */
    public byte[] prefix() {
        return prefix;
    }

    public KeyRange range() {
        return KeyRange.prefix(prefix);
    }

    /** The documents it holds, or null if it holds all. */
    public @Nullable Filter partialFilter() {
        return partial;
    }

    /** Keys of a wildcard index, one for each document that it has with an array at this path. */
    public KeyRange arraysAt(DottedPath path) {
        KeyWriter out = new KeyWriter().prefix(number);
        int column = 0;
        while (columns.get(column).kind() != IndexKind.WILDCARD) {
            out.put(Value.MIN_KEY, descending[column++]);
        }
        out.put(WildcardKeys.ARRAY, descending[column])
                .put(stored(column + 1, Value.of(path.toString())), descending[column + 1]);
        return KeyRange.prefix(out.toKey());
    }

    /** Which paths it has, if it is a wildcard index. */
    public WildcardPaths wildcardPaths() {
        return spec.wildcardPaths();
    }

    /** Rows of the catalog, one for each path at which it has met an array: a lock on them prevents further ones. */
    public KeyRange arrays() {
        return CatalogRows.multikeysOf(number);
    }

    /** Whether any document it has met has an array on one of its paths. To be asked after the snapshot was opened. */
    public boolean isMultikey() {
        for (long steps : multikey.steps()) {
            if (steps != 0) {
                return true;
            }
        }
        return false;
    }

    /** Per path, a bit for each part at which an array was met, the first part the lowest. Not to be changed. */
    public long[] multikeySteps() {
        return multikey.steps();
    }

    /** What the keys of the documents themselves begin with. */
    byte[] collectionPrefix() {
        return collectionPrefix;
    }

    Multikey multikey() {
        return multikey;
    }

    IndexStage stage() {
        return stage;
    }

    /** Shared by all versions of the index while it is being filled. */
    SkippedDocuments skipped() {
        return skipped;
    }

    /** Whether two keys may not be equal, of different documents. */
    boolean refusesDuplicates() {
        return stage != IndexStage.FILLING && (spec.unique() || spec.prepareUnique());
    }

    /** Whether it has this document at all. */
    public boolean holds(RawDocument document) {
        return partial == null || partial.matches(document);
    }

    IndexKeys.Extraction keys(RawDocument document) {
        return keys.extract(document);
    }

    /** A value as it stands in a column of the keys. */
    public Value stored(int column, Value value) {
        return columns.get(column).collated() ? collation().key(value) : value;
    }

    /** Per column; not to be changed. */
    public boolean[] descending() {
        return descending;
    }

    /** The key in {@link Table#DOCUMENTS} of the document that an entry leads to. */
    public byte[] documentKey(byte[] entryKey) {
        return primary ? entryKey : EntryFormat.documentKey(this, entryKey);
    }

    /** The length of the beginning of an entry's key that other documents with the same values share. */
    public int valuesEnd(byte[] entryKey) {
        return spec.key().isId() ? entryKey.length : EntryFormat.valuesEnd(this, entryKey);
    }

    /** The key of the cell that an entry has in a column. */
    public long cellKey(byte[] entryKey, int column) {
        return EntryFormat.wholeNumber(this, entryKey, column);
    }

    /** How well the term of an entry of a text index describes the document. */
    public double score(byte[] entryKey) {
        return Numbers.doubleOf(EntryFormat.number(this, entryKey, TextKeys.scoreColumn(columns)));
    }

    /** The entries of a text index with this term, the lowest score first. */
    public KeyRange term(List<Value> before, String term) {
        KeyWriter out = new KeyWriter().prefix(number);
        for (int i = 0; i < before.size(); i++) {
            out.put(stored(i, before.get(i)), descending[i]);
        }
        return KeyRange.prefix(out.put(Value.of(term), false).toKey());
    }

    /** The values that an entry of this document stands for, or null if the document has no such entry. */
    public @Nullable RawDocument shownKey(byte[] entryKey, RawDocument document) {
        if (primary) {
            String field = spec.key().fields().getFirst().path();
            Value value = document.get(field);
            return value == null ? null : new BsonWriter().put(field, value).finish();
        }
        EntryFormat.Entry entry = EntryFormat.entries(this, documentKey(entryKey), document)
                .byKey()
                .get(entryKey);
        return entry == null ? null : entry.shown(this);
    }

    @Override
    public String toString() {
        return spec.name() + " " + spec.key();
    }
}
