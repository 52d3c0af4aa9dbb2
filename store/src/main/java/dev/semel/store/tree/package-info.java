/**
 * An immutable ordered map from byte strings to byte strings. The memory engine keeps its tables in it and a transaction
 * its write set: both need old versions that cost nothing to keep and nothing to drop. Knows only key ranges.
 */
@NullMarked
package dev.semel.store.tree;

import org.jspecify.annotations.NullMarked;
