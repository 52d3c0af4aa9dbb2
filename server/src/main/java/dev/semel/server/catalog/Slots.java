package dev.semel.server.catalog;

import dev.semel.wire.Namespace;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the newest catalog says of each namespace, and from which commit on: so that most statements find their collection
 * without reading the store. Where an entry is being changed, or a snapshot is older than it, there is no answer here
 * and the snapshot itself is read.
 */
final class Slots {
    /** Beyond this many namespaces that exist no more, the oldest knowledge of them is given up. */
    private static final int ABSENT_MAX = 10_000;

    private final Map<Namespace, Slot> slots = new ConcurrentHashMap<>();

    /** A namespace without a slot is absent from all snapshots of this time or later. */
    private final AtomicLong absentSince = new AtomicLong();

    /**
     * @param changers transactions that have changed the entry and not ended
     * @param since the entry is as it is from this commit on; not known yet between a commit and the first look at it
     */
    record Slot(
            int changers,
            long since,
            boolean known,
            @Nullable Collection collection) {
        /** Whether the entry is not being changed and what is here is the newest. */
        boolean isNewest() {
            return known && changers == 0;
        }

        boolean answers(long clusterTime) {
            return known && changers == 0 && Long.compareUnsigned(clusterTime, since) >= 0;
        }
    }

    @Nullable
    Slot get(Namespace namespace) {
        return slots.get(namespace);
    }

    boolean isAbsent(long clusterTime) {
        return Long.compareUnsigned(clusterTime, absentSince.get()) >= 0;
    }

    void load(Collection collection) {
        slots.put(collection.namespace(), new Slot(0, 0, true, collection));
    }

    /** Before a transaction writes its change. */
    void changing(Namespace namespace) {
        slots.compute(
                namespace,
                (name, slot) -> slot == null
                        ? new Slot(1, absentSince.get(), true, null)
                        : new Slot(slot.changers + 1, slot.since, slot.known, slot.collection));
    }

    /** After it has ended. */
    void ended(Namespace namespace) {
        slots.computeIfPresent(
                namespace, (name, slot) -> new Slot(slot.changers - 1, slot.since, slot.known, slot.collection));
    }

    /** By the commit of a change, before it can be seen. */
    void committed(Namespace namespace, long clusterTime) {
        slots.compute(
                namespace,
                (name, slot) -> slot == null
                        ? new Slot(0, clusterTime, false, null)
                        : new Slot(slot.changers, clusterTime, false, slot.collection));
    }

    /** The entry has been read in a snapshot that shows the last change; ignored if there has been another one since. */
    void know(Namespace namespace, Slot slot, @Nullable Collection collection) {
        if (slot.changers == 0 && !slot.known) {
            slots.replace(namespace, slot, new Slot(0, slot.since, true, collection));
            if (collection == null && slots.size() > ABSENT_MAX) {
                forgetAbsent();
            }
        }
    }

    private void forgetAbsent() {
        for (var each : List.copyOf(slots.entrySet())) {
            Slot slot = each.getValue();
            if (slot.changers == 0 && slot.known && slot.collection == null) {
                // Raised first: a reader that misses the slot must not take an older snapshot's namespace for absent.
                raiseAbsentSince(slot.since);
                slots.remove(each.getKey(), slot);
            }
        }
    }

    private void raiseAbsentSince(long clusterTime) {
        absentSince.accumulateAndGet(clusterTime, (now, then) -> Long.compareUnsigned(then, now) > 0 ? then : now);
    }
}
