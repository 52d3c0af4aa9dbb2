package dev.semel.query.pipeline;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** What has been looked at to read other collections, for {@code explain}. */
public final class ReadStatistics {
    private long documents;
    private long keys;
    private long collectionScans;
    private final SortedSet<String> indexes = new TreeSet<>();

    /**
     * Adds one query.
     *
     * @param indexesUsed their names
     */
    public void add(long documentsExamined, long keysExamined, long scans, Collection<String> indexesUsed) {
        documents += documentsExamined;
        keys += keysExamined;
        collectionScans += scans;
        indexes.addAll(indexesUsed);
    }

    public long documents() {
        return documents;
    }

    public long keys() {
        return keys;
    }

    /** How many queries have looked at every document. */
    public long collectionScans() {
        return collectionScans;
    }

    /** The names of the indexes that were used. */
    public SortedSet<String> indexes() {
        return Collections.unmodifiableSortedSet(indexes);
    }
}
