/**
 * The operation log of a replica set member: written in the commit it describes, read by tailing cursors and change streams,
 * and shortened in the background. Uses the catalog and the store; independent of commands and cursors.
 *
 * <p>The table {@link dev.semel.store.Table#OPLOG} holds an entry under its cluster time, eight bytes with the highest
 * first, as BSON in MongoDB's format:
 *
 * <pre>
 * {lsid, txnNumber, op: "u", ns: "db.c", ui: UUID, o: {$v: 2, diff: {...}}, o2: {_id}, stmtId, ts, t: 1, v: 2, wall}
 * </pre>
 *
 * {@code op} is {@code i} insert, {@code u} update, {@code d} delete, {@code c} command or {@code n} nothing. The first two
 * fields and {@code stmtId} are there if a session is known. A transaction that changes several documents, or that a
 * session has committed, is a command {@code {applyOps: [...]}} on {@code admin.$cmd}; what does not fit one entry goes on
 * in the next, which names its predecessor in {@code prevOpTime}: all but the last say {@code partialTxn: true}. What a
 * change has replaced, where the collection keeps it, has the entry's key with the change's position in the entry behind
 * it, four bytes. For example the second change of the entry {@code Timestamp(7, 1)} has kept the old document under
 * {@code 00000007 00000001 00000001}.
 *
 * <p>Entries are removed from the beginning on. The store may leave them where they are for a while, so the row {@code O} of
 * {@link dev.semel.store.Table#CATALOG} has the time up to which they are removed, and nothing is read there.
 *
 * <p>Start at {@link dev.semel.server.oplog.OplogWriter} and {@link dev.semel.server.oplog.OplogReader}.
 */
@NullMarked
package dev.semel.server.oplog;

import org.jspecify.annotations.NullMarked;
