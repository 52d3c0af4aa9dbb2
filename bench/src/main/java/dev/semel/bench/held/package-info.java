/**
 * What it costs others that much is held or done at once: streams that wait, locks that many wait for, large commits, reads that
 * miss the cache. Each public class is a program.
 */
@NullMarked
package dev.semel.bench.held;

import org.jspecify.annotations.NullMarked;
