/**
 * The engine on disk: RocksDB, one column family for each table. The only package that knows {@code org.rocksdb}. Start
 * at {@link dev.semel.store.rocks.RocksStore}.
 *
 * <p>A data directory holds RocksDB's files, those of the {@link dev.semel.store.rocks.Journal}, {@code semel.lock}, and {@code staged}, where large commits are prepared (see
 * {@link dev.semel.store.rocks.Ingestion}); for a moment also a checkpoint that takes the place of the other files (see
 * {@link dev.semel.store.rocks.Replacement}). The default column family describes it:
 *
 * <pre>
 * key "format"       4 bytes, big-endian: the version of the layout, now 3
 * key "clusterTime"  5 times 8 bytes, big-endian, written with each batch: cluster time, term and sequence
 *                    number of the newest commit; term and index of the log entry that it came with
 * key "batch"        8 bytes, big-endian, written with each batch: its number in the journal
 * key "ingest"       lines of a table and a file in the folder "staged": a large commit that is being taken in
 * key "retired..."   a range that is removed, whose files are still there: see RetiredRanges
 * </pre>
 *
 * The column families {@code documents}, {@code indexes}, {@code oplog}, {@code records} and {@code catalog} hold the
 * {@link dev.semel.store.Table tables}, keys and values as they come.
 *
 * <p>What is read again and again, a document or the few entries of an index with one value, is found in the heap, in
 * {@link dev.semel.store.rocks.ReadCaches}.
 *
 * <p>A batch is in the operating system's hands when {@code write} returns, so killing the process loses nothing, and on
 * disk when {@code write} with sync or {@code syncLog} returns. After a crash the journal is replayed, after a power loss up to the first
 * record that is damaged: what was synced, and perhaps some batches more, always in order and without a gap.
 */
@NullMarked
package dev.semel.store.rocks;

import org.jspecify.annotations.NullMarked;
