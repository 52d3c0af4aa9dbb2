package dev.semel.driver.operation;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The ids of inserted documents by the index of their statement, without an object for each entry. Unmodifiable. */
final class IdsByIndex extends AbstractMap<Integer, BsonValue> {
    private final @Nullable BsonValue[] ids;
    private final int size;

    /** Null at the indexes of statements that insert nothing; the array is not changed any more. */
    IdsByIndex(@Nullable BsonValue[] ids) {
        this.ids = ids;
        int found = 0;
        for (BsonValue id : ids) {
            found += id == null ? 0 : 1;
        }
        size = found;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public @Nullable BsonValue get(@Nullable Object key) {
        return key instanceof Integer index && index >= 0 && index < ids.length ? ids[index] : null;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return get(key) != null;
    }

    @Override
    public Set<Map.Entry<Integer, BsonValue>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<Integer, BsonValue>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<Integer, BsonValue>> {
        private int next;

        @Override
        public boolean hasNext() {
            while (next < ids.length && ids[next] == null) {
                next++;
            }
            return next < ids.length;
        }

        @Override
        public Map.Entry<Integer, BsonValue> next() {
            BsonValue id = hasNext() ? ids[next] : null;
            if (id == null) {
                throw new NoSuchElementException();
            }
            return Map.entry(next++, id);
        }
    }
}
