package dev.semel.store.spill;

/**
 * What temporary files take and have taken.
 *
 * @param bytes now
 * @param peakBytes at most at once
 * @param files now
 * @param runs that were begun ever since the start
 * @param writtenBytes ever since the start, compressed
 */
public record SpillStatistics(long bytes, long peakBytes, long files, long runs, long writtenBytes) {}
