/**
 * The promise: a write that is sent again happens once. What is remembered of retryable writes and committed transactions
 * is stored in the commit it tells of. Start at {@link dev.semel.server.once.Gate}, through which a retryable write
 * comes; {@link dev.semel.server.once.TransactionTable} is what is stored. Uses sessions and the store, and knows nothing
 * of commands.
 *
 * <p>The format is on disk. The table {@code RECORDS} has four kinds of keys; numbers are big-endian.
 *
 * <pre>
 * 01 session                               the session's newest number, see below
 * 02 session number (8) part (4)           part 0: the same of a number that has been superseded and is kept;
 *                                          further parts: statements for which there was no room in the row
 * 03                                       the latest last write of any session that has been forgotten
 * 04 session number (8) part (4)           as 02, of a session that belongs to a user
 * </pre>
 *
 * A session is its UUID (16); if it belongs to a user, the SHA-256 of the user's name follows (32).
 *
 * A number's row: what it was used for (1: 1 a retryable write, 2 a committed transaction, 3 a fence; plus 80 hex if the
 * session has kept rows), the number (8), the highest number of the session of which nothing is known any more (8, -1 if
 * there is none), the wall clock at the last write in milliseconds (8), the cluster time of the last write (8), how many
 * further parts there are (4). Then, up to 512 bytes, runs of statements of the same outcome: kind, id of the first one,
 * how many; the ids follow each other. The two numbers take 7 bits per byte, the lowest first, the high bit set in all but
 * the last byte.
 *
 * <pre>
 * 00 inserted    01 deleted nothing    02 deleted one    03 nothing matched    04 matched    05 modified
 * 06 upserted; a document whose only field, without a name, is the _id follows
 * 07 answered; the answer's fields follow as a document
 * </pre>
 *
 * So a session's first number, 1, with one statement that has modified a document is
 *
 * <pre>
 * 01 0000000000000001 ffffffffffffffff 0000019a9f3c5e00 6920a1b300000001 00000000 05 00 01
 * </pre>
 */
@NullMarked
package dev.semel.server.once;

import org.jspecify.annotations.NullMarked;
