package dev.semel.server.catalog;

import dev.semel.store.key.KeyDecoder;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ends of ranges of an index's keys as documents, {@code {a: 5, $primaryKey: 1}}. A range ends before a key, which
 * mostly was made of the last one inside: by a byte behind it, or by raising its last byte.
 */
final class LockBounds {
    static final Value LOWEST = Value.of("-infinity");
    static final Value HIGHEST = Value.of("+infinity");
    static final LockBounds OF_DOCUMENTS = new LockBounds(List.of("_id"), new boolean[1]);
    static final LockBounds UNKNOWN = new LockBounds(List.of(), new boolean[0]);
    private static final int NUMBER_BYTES = 4;

    private final List<String> fields;
    private final boolean[] descending;

    private LockBounds(List<String> fields, boolean[] descending) {
        this.fields = fields;
        this.descending = descending;
    }

    /** Of a secondary index, whose keys end in the document's {@code _id}. */
    static LockBounds of(Index index) {
        List<String> fields = new ArrayList<>();
        index.paths().forEach(each -> fields.add(each.toString()));
        fields.add("$primaryKey");
        return new LockBounds(fields, Arrays.copyOf(index.descending(), fields.size()));
    }

    Value left(KeyRange range) {
        return end(range.low(), LOWEST);
    }

    Value right(KeyRange range) {
        byte[] high = range.high();
        if (high == null || high.length < NUMBER_BYTES) {
            return HIGHEST;
        }
        boolean isSameIndex = Arrays.equals(high, 0, NUMBER_BYTES, range.low(), 0, NUMBER_BYTES);
        return isSameIndex ? end(high, HIGHEST) : HIGHEST;
    }

    private Value end(byte[] key, Value otherwise) {
        if (key.length <= NUMBER_BYTES) {
            return otherwise;
        }
        Value exact = values(key, true);
        if (exact == null && key[key.length - 1] == 0) {
            exact = values(Arrays.copyOf(key, key.length - 1), true);
        }
        if (exact == null) {
            byte[] lowered = key.clone();
            lowered[lowered.length - 1]--;
            exact = values(lowered, true);
        }
        Value some = exact == null ? values(key, false) : exact;
        return some == null ? otherwise : some;
    }

    /** The values that a key begins with; null if there are none, or if they are not all there is of it. */
    private @Nullable Value values(byte[] key, boolean completely) {
        KeyDecoder decoder = new KeyDecoder(key, NUMBER_BYTES);
        BsonWriter out = new BsonWriter();
        int found = 0;
        while (found < fields.size() && !decoder.atEnd()) {
            Value value = decoder.next(descending[found]);
            if (value == null) {
                return completely || found == 0 ? null : Value.of(out.finish());
            }
            out.put(fields.get(found), value);
            found++;
        }
        return found == 0 || (completely && !decoder.atEnd()) ? null : Value.of(out.finish());
    }
}
