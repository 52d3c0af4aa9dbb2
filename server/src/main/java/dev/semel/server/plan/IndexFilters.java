package dev.semel.server.plan;

import dev.semel.query.value.Held;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.store.CommitListener;
import dev.semel.store.CommitRecord;
import dev.semel.store.Fact;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The indexes to which administrators have limited the queries of a shape, by the number of the collection. As in MongoDB they
 * are forgotten at the end of the server.
 */
public final class IndexFilters implements CommitListener {
    /** Of all collections together. */
    private static final int FILTERS_MAX = 1_000;

    /** Of one filter, as it was given, with its indexes. */
    private static final int FILTER_BYTES_MAX = 16 << 10;

    private final Map<Integer, Map<QueryShape, IndexFilter>> byCollection = new ConcurrentHashMap<>();

    /**
     * One of them.
     *
     * @param given the fields {@code query}, {@code sort}, {@code projection} and {@code collation}, as they were given
     * @param indexes key patterns and names
     */
    public record IndexFilter(RawDocument given, List<Value> indexes) {
        boolean allows(Index index) {
            return indexes.stream().anyMatch(each -> Hints.means(each, index));
        }

        private long bytes() {
            return given.length() + indexes.stream().mapToLong(Held::bytes).sum();
        }
    }

    @Override
    public void applied(CommitRecord record) {
        record.forEach(Fact.StorageRemoved.class, removed -> byCollection.remove(removed.number()));
    }

    public void set(Collection collection, QueryShape shape, IndexFilter filter) {
        if (filter.bytes() > FILTER_BYTES_MAX || (count() >= FILTERS_MAX && find(collection, shape) == null)) {
            throw new CommandException(
                    ErrorCode.ExceededMemoryLimit,
                    "there can be %d index filters of %d bytes each",
                    FILTERS_MAX,
                    FILTER_BYTES_MAX);
        }
        byCollection
                .computeIfAbsent(collection.number(), number -> new ConcurrentHashMap<>())
                .put(shape, filter);
    }

    private int count() {
        return byCollection.values().stream().mapToInt(Map::size).sum();
    }

    private @Nullable IndexFilter find(Collection collection, QueryShape shape) {
        return byCollection.getOrDefault(collection.number(), Map.of()).get(shape);
    }

    public List<IndexFilter> of(Collection collection) {
        return List.copyOf(
                byCollection.getOrDefault(collection.number(), Map.of()).values());
    }

    /** Null if all indexes may be used. */
    @Nullable
    IndexFilter of(Collection collection, Query query) {
        Map<QueryShape, IndexFilter> all = byCollection.get(collection.number());
        return all == null ? null : all.get(QueryShape.of(query));
    }

    public void remove(Collection collection, QueryShape shape) {
        Map<QueryShape, IndexFilter> all = byCollection.get(collection.number());
        if (all != null) {
            all.remove(shape);
        }
    }

    public void removeAll(Collection collection) {
        byCollection.remove(collection.number());
    }
}
