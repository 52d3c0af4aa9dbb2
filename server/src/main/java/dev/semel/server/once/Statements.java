package dev.semel.server.once;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What became of a number's statements, to be looked up by their ids. */
public final class Statements {
    private final TreeMap<Integer, Run> runs = new TreeMap<>();

    /** The ids from {@code first} on that share an outcome. */
    public record Run(int first, int count, StatementRecord record) {
        boolean contains(int id) {
            return id - first < count;
        }
    }

    void add(byte[] stored, int from) {
        StatementRuns.forEach(stored, from, (first, count, record) -> runs.put(first, new Run(first, count, record)));
    }

    /** Null if it left nothing. */
    public @Nullable StatementRecord find(int id) {
        Map.Entry<Integer, Run> below = runs.floorEntry(id);
        return below != null && below.getValue().contains(id) ? below.getValue().record() : null;
    }

    /** In the order of their ids. */
    public Iterable<Run> runs() {
        return runs.values();
    }
}
