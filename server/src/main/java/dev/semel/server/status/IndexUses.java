package dev.semel.server.status;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** How often each index answered, since the start of the server. Indexes are known by numbers that are never used again. */
public final class IndexUses {
    private final ConcurrentMap<Integer, LongAdder> counts = new ConcurrentHashMap<>();

    /** To be incremented by who uses it. */
    public LongAdder of(int index) {
        LongAdder count = counts.get(index);
        return count == null ? counts.computeIfAbsent(index, ignored -> new LongAdder()) : count;
    }

    public long count(int index) {
        LongAdder count = counts.get(index);
        return count == null ? 0 : count.sum();
    }
}
