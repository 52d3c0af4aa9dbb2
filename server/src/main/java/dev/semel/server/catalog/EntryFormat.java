package dev.semel.server.catalog;

import dev.semel.query.value.DottedPath;
import dev.semel.query.value.IndexKeys;
import dev.semel.query.value.Numbers;
import dev.semel.store.key.KeyDecoder;
import dev.semel.store.key.KeyRange;
import dev.semel.store.key.KeyReader;
import dev.semel.store.key.KeyWriter;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of an index: its number, the encoded values of its columns, each descending where the index is, and the
 * encoded {@code _id}, as it stands in the document's key. The value of an entry is the document in a clustering index, and
 * otherwise what {@link EntryFields} wants to know, if anything.
 */
final class EntryFormat {
    static final int NUMBER_BYTES = 4;
    private static final byte[] NOTHING = {};

    private EntryFormat() {}

    /**
     * @param valuesEnd where the values end and the {@code _id} begins
     * @param fields null where missing
     * @param types what {@link EntryFields} says of them; empty for nothing
     */
    record Entry(byte[] key, int valuesEnd, @Nullable Value[] fields, byte[] types) {
        /** What must be unique in a unique index. */
        byte[] values() {
            return Arrays.copyOf(key, valuesEnd);
        }

        /** As messages name it: {@code {a: 1, b: null}}. */
        RawDocument shown(Index index) {
            BsonWriter out = new BsonWriter();
            for (int i = 0; i < fields.length; i++) {
                Value value = fields[i];
                out.put(index.paths().get(i).toString(), value == null ? Value.NULL : value);
            }
            return out.finish();
        }
    }

    /**
     * What one document has in one index.
     *
     * @param byKey in the order of the keys, each once
     * @param arrays where the document has arrays on the index's paths; see {@link Multikey}
     */
    record Entries(Map<byte[], Entry> byKey, long[] arrays) {
        static Entries none(Index index) {
            return new Entries(Map.of(), new long[index.paths().size()]);
        }
    }

    static Entries entries(Index index, byte[] documentKey, RawDocument document) {
        if (!index.holds(document)) {
            return Entries.none(index);
        }
        IndexKeys.Extraction extraction = index.keys(document);
        if (index.spec().sparse() && extraction.missing()) {
            return new Entries(Map.of(), extraction.arrays());
        }
        KeyWriter out = new KeyWriter();
        Map<byte[], Entry> byKey = new TreeMap<>(Arrays::compareUnsigned);
        boolean typed = index.keepsTypes() && hasNoArrays(extraction);
        for (@Nullable Value[] values : extraction.keys()) {
            byte[] types = typed ? EntryFields.of(index, document, values) : NOTHING;
            Entry entry = entry(index, documentKey, values, types, out.truncate(0));
            byKey.put(entry.key, entry);
        }
        return new Entries(byKey, extraction.arrays());
    }

    private static boolean hasNoArrays(IndexKeys.Extraction extraction) {
        for (long steps : extraction.arrays()) {
            if (steps != 0) {
                return false;
            }
        }
        return true;
    }

    private static Entry entry(Index index, byte[] documentKey, @Nullable Value[] values, byte[] types, KeyWriter out) {
        out.prefix(index.number());
        boolean[] descending = index.descending();
        for (int i = 0; i < values.length; i++) {
            Value value = values[i];
            out.put(value == null ? Value.NULL : index.stored(i, value), descending[i]);
        }
        int valuesEnd = out.length();
        out.encoded(documentKey, NUMBER_BYTES, documentKey.length - NUMBER_BYTES);
        return new Entry(out.toKey(), valuesEnd, values, types);
    }

    /** Where the values of an entry end. */
    static int valuesEnd(Index index, byte[] entryKey) {
        return KeyReader.end(entryKey, NUMBER_BYTES, index.descending());
    }

    /** See {@link Index#withSameValues}. */
    static byte[] withSameValues(Index index, byte[] entryKey, byte[] documentKey) {
        int end = valuesEnd(index, entryKey);
        byte[] key = Arrays.copyOf(entryKey, end + documentKey.length - NUMBER_BYTES);
        System.arraycopy(documentKey, NUMBER_BYTES, key, end, documentKey.length - NUMBER_BYTES);
        return key;
    }

    /** See {@link Index#beyondValues}. */
    static byte @Nullable [] beyondValues(Index index, byte[] entryKey, int columns, boolean reverse) {
        boolean[] descending = index.descending();
        int begin = KeyReader.end(entryKey, NUMBER_BYTES, Arrays.copyOf(descending, columns - 1));
        int end = KeyReader.end(entryKey, NUMBER_BYTES, Arrays.copyOf(descending, columns));
        byte[] none = new KeyWriter().put(Value.NULL, descending[columns - 1]).toKey();
        if (Arrays.equals(entryKey, begin, end, none, 0, none.length)) {
            return null;
        }
        byte[] shared = Arrays.copyOf(entryKey, end);
        return reverse ? shared : KeyRange.prefixEnd(shared);
    }

    /** The value of a column that has nothing but whole numbers. */
    static long wholeNumber(Index index, byte[] entryKey, int column) {
        return Numbers.exactLong(number(index, entryKey, column)).orElseThrow();
    }

    /** The value of an ascending column that has nothing but numbers. */
    static Value number(Index index, byte[] entryKey, int column) {
        int at = KeyReader.end(entryKey, NUMBER_BYTES, Arrays.copyOf(index.descending(), column));
        Value value = new KeyDecoder(entryKey, at).next(false);
        if (value == null) {
            throw new IllegalStateException("no number in column " + column + " of " + index);
        }
        return value;
    }

    /** Whether two entries, of different documents, stand for the same values. */
    static boolean haveSameValues(Index index, byte[] a, byte[] b) {
        int end = valuesEnd(index, a);
        return valuesEnd(index, b) == end && Arrays.equals(a, 0, end, b, 0, end);
    }

    static byte[] documentKey(Index index, byte[] entryKey) {
        int end = valuesEnd(index, entryKey);
        byte[] key = new byte[NUMBER_BYTES + entryKey.length - end];
        System.arraycopy(index.collectionPrefix(), 0, key, 0, NUMBER_BYTES);
        System.arraycopy(entryKey, end, key, NUMBER_BYTES, entryKey.length - end);
        return key;
    }

    /** False if both documents have the same entries for sure, because nothing the index looks at has changed. */
    static boolean mayDiffer(Index index, RawDocument before, RawDocument after) {
        if (index.partialFilter() != null || index.reads().isEmpty()) {
            return true;
        }
        for (DottedPath path : index.reads()) {
            if (differs(path.partUtf8(0), before, after)) {
                return true;
            }
        }
        return false;
    }

    private static boolean differs(byte[] field, RawDocument before, RawDocument after) {
        int a = before.find(field);
        int b = after.find(field);
        if (a < 0 || b < 0) {
            return a != b;
        }
        byte type = before.array()[a];
        int valueA = a + 2 + field.length;
        int valueB = b + 2 + field.length;
        int length = ElementCursor.valueLength(before.array(), type, valueA);
        return type != after.array()[b]
                || length != ElementCursor.valueLength(after.array(), type, valueB)
                || !Arrays.equals(before.array(), valueA, valueA + length, after.array(), valueB, valueB + length);
    }
}
