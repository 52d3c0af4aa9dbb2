package dev.semel.server.cursor;

import java.time.Duration;

/**
 * The counters of cursors in {@code serverStatus}.
 *
 * @param opened those that were kept for a second batch, since the start
 * @param timedOut those that were ended because they were idle
 * @param open now
 * @param inUse now, by a {@code getMore}
 * @param withoutTimeout now, opened with {@code noCursorTimeout}
 * @param oldest age of the oldest one, and so of the oldest snapshot that a cursor keeps; zero if there is none
 */
public record CursorCounts(long opened, long timedOut, long open, long inUse, long withoutTimeout, Duration oldest) {}
