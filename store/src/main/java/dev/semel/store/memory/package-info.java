/**
 * The engine that keeps everything in the heap: one immutable tree per table, replaced by each batch.
 *
 * <p>A checkpoint is a folder with the file {@code rows}. Numbers have the highest byte first:
 *
 * <pre>
 * format, now 1 (4)
 * cluster time, term and sequence number of the newest commit; term and index of the log entry that it came with (5 times 8)
 * each row, a table after the other, by key: index of the table (1), length of the key (4), of the value (4), key, value
 * -1 (1)
 * CRC32C of everything before (8)
 * </pre>
 */
@NullMarked
package dev.semel.store.memory;

import org.jspecify.annotations.NullMarked;
