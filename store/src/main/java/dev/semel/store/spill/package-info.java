/**
 * Temporary files: what queries and transactions cannot hold in the heap. Nobody else opens any. Start at
 * {@link dev.semel.store.spill.SpillFiles}, the {@link dev.semel.store.ScratchSpace} of a server, which limits and counts them.
 *
 * <p>A run is a file of blocks of 32 KB. It is private to the process, so the format may change with any version:
 *
 * <pre>
 * length of the block (4), of the same compressed with Snappy (4), CRC32C of the compressed bytes (4), the compressed bytes
 * the blocks one after the other: for each record its length (4) and its bytes
 * </pre>
 *
 * <p>A folder has the rows of a transaction, which an engine writes there.
 *
 * <p>Where the system can do that, a file has no name from the moment when it is opened: it is gone when it is closed, or when the
 * process ends, whatever ends it. Elsewhere it is deleted when it is closed, and what a crash has left at the next start.
 */
@NullMarked
package dev.semel.store.spill;

import org.jspecify.annotations.NullMarked;
