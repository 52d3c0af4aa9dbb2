package dev.semel.server.plan;

import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.store.CommitListener;
import dev.semel.store.CommitRecord;
import dev.semel.store.Fact;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.MemoryPart;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which of several plans has won for queries of a shape, as MongoDB keeps it: an entry is inactive until a second trial has
 * confirmed it with no more work than the first one. It belongs to a set of indexes, so that no query finds one that was
 * made before an index was created, dropped or hidden. The least recently used entries give way. Thread-safe.
 */
public final class PlanCache implements CommitListener {
    /** Of all collections together. */
    static final int ENTRIES_MAX = 5_000;

    /** Queries that are larger are tried each time. */
    static final long ENTRY_BYTES_MAX = 32 << 10;

    /** An entry beside its texts and documents. */
    private static final long ENTRY_BYTES = 400;

    /** By how much the work that is expected grows where a trial needed more. */
    private static final int GROWTH = 2;

    private final MemoryPart memory;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. The least recently used ones come first. */
    private final LinkedHashMap<Place, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    public PlanCache(MemoryPart memory, InstantSource clock) {
        this.memory = memory;
        this.clock = clock;
    }

    private record Place(int collection, PlanKey key) {}

    /**
     * What is known of queries with one key.
     *
     * @param indexes there were when it was made
     * @param winner the plan's id
     * @param works what it needed for its first results
     * @param trial what {@code $planCacheStats} shows of its making
     */
    record Entry(
            PlanKey key,
            List<Index> indexes,
            String winner,
            long works,
            boolean isActive,
            long millis,
            RawDocument trial) {
        long bytes() {
            return ENTRY_BYTES + key.bytes() + trial.length();
        }

        private Entry with(long otherWorks, boolean active) {
            return new Entry(key, indexes, winner, otherWorks, active, millis, trial);
        }

        private void describe(BsonWriter out) {
            out.put("version", "1")
                    .put("queryHash", key.shapeHash())
                    .put("planCacheShapeHash", key.shapeHash())
                    .put("planCacheKey", key.keyHash())
                    .put("isActive", isActive)
                    .put("works", works)
                    .put("worksType", "works")
                    .put("timeOfCreation", new Value.Date(millis))
                    .copyAll(trial)
                    .put("estimatedSizeBytes", bytes());
        }
    }

    @Override
    public void applied(CommitRecord record) {
        record.forEach(Fact.StorageRemoved.class, removed -> removeIf(place -> place.collection == removed.number()));
    }

    /** The active entry for a query; null if its plans have to be tried. */
    @Nullable
    Entry active(Collection collection, PlanKey key) {
        Entry entry = find(collection, key);
        return entry != null && entry.isActive ? entry : null;
    }

    private @Nullable Entry find(Collection collection, PlanKey key) {
        lock.lock();
        try {
            Entry entry = entries.get(new Place(collection.number(), key));
            return entry != null && entry.indexes.equals(collection.indexes()) ? entry : null;
        } finally {
            lock.unlock();
        }
    }

    /** Whether this plan is what a query would get from here. */
    boolean has(Collection collection, PlanKey key, String winner) {
        Entry entry = active(collection, key);
        return entry != null && entry.winner.equals(winner);
    }

    /** What an entry promised was not kept: the next trial says whether it becomes active again. */
    void deactivate(Collection collection, Entry entry) {
        replace(new Place(collection.number(), entry.key), entry.with(entry.works, false));
    }

    /**
     * After a trial. An entry that was inactive becomes active if this trial took no more work; else more work is expected of
     * the next one.
     *
     * @param trial called only if there is something new to show
     */
    void put(Collection collection, PlanKey key, String winner, long works, Supplier<RawDocument> trial) {
        Place place = new Place(collection.number(), key);
        Entry known = find(collection, key);
        if (known != null && works > known.works) {
            if (!known.isActive) {
                replace(place, known.with(Math.max(known.works + 1, known.works * GROWTH), false));
            }
            return;
        }
        Entry entry = new Entry(key, collection.indexes(), winner, works, known != null, clock.millis(), trial.get());
        replace(place, entry);
    }

    private void replace(Place place, Entry entry) {
        if (entry.bytes() > ENTRY_BYTES_MAX) {
            return;
        }
        lock.lock();
        try {
            remove(place);
            while (entries.size() >= ENTRIES_MAX) {
                remove(entries.firstEntry().getKey());
            }
            boolean hasRoom = memory.tryReserve(entry.bytes());
            while (!hasRoom && !entries.isEmpty()) {
                remove(entries.firstEntry().getKey());
                hasRoom = memory.tryReserve(entry.bytes());
            }
            if (hasRoom) {
                entries.put(place, entry);
            }
        } finally {
            lock.unlock();
        }
    }

    private void remove(Place place) {
        Entry removed = entries.remove(place);
        if (removed != null) {
            memory.release(removed.bytes());
        }
    }

    private void removeIf(Predicate<Place> isMeant) {
        lock.lock();
        try {
            List.copyOf(entries.keySet()).stream().filter(isMeant).forEach(this::remove);
        } finally {
            lock.unlock();
        }
    }

    public void clear(Collection collection) {
        removeIf(place -> place.collection == collection.number());
    }

    public void clear(Collection collection, QueryShape shape) {
        removeIf(place ->
                place.collection == collection.number() && place.key.shape().equals(shape));
    }

    /** As {@code $planCacheStats} shows them, without the server's name. */
    public List<RawDocument> describe(Collection collection) {
        List<RawDocument> described = new ArrayList<>();
        lock.lock();
        try {
            entries.forEach((place, entry) -> {
                if (place.collection == collection.number() && entry.indexes.equals(collection.indexes())) {
                    BsonWriter out = new BsonWriter();
                    entry.describe(out);
                    described.add(out.finish());
                }
            });
        } finally {
            lock.unlock();
        }
        return described;
    }
}
