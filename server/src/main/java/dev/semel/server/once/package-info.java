/**
 * Writes that are sent again are applied once. What is recorded of retryable writes and committed transactions
 * is stored in the commit it describes. Start at {@link dev.semel.server.once.Gate}, through which a write with a
 * transaction number comes, and at {@link dev.semel.server.once.TokenAttempt} for one with a token; {@link
 * dev.semel.server.once.TransactionTable} and {@link dev.semel.server.once.TokenTable} are what is stored. Uses sessions
 * and the store; independent of commands.
 *
 * <p>The format is on disk. The table {@code RECORDS} has nine kinds of keys; numbers are big-endian.
 *
 * <pre>
 * 01 session                               the session's newest number, see below
 * 02 session number (8) part (4)           part 0: the same of a number that has been superseded and is kept;
 *                                          further parts: statements for which there was no room in the row
 * 03                                       the latest last write of any session that has been forgotten
 * 04 session number (8) part (4)           as 02, of a session that belongs to a user
 * 05 owner (32) token (32)                 a token's record, see below
 * 06 owner (32) token (32) part (4)        its statements for which there was no room in the row
 * 07 expiry (8) owner (32) token (32)      by which what has to go first is found; has no value
 * 08                                       of the tokens that have been removed: the latest time of writing (8), and the
 *                                          latest expiry (8)
 * 10 session                               the session is in a transaction of TokuMX's dialect: 0 (8), or, once a start of
 *                                          the server has found it lost, the wall clock in milliseconds (8)
 * </pre>
 *
 * A session is its UUID (16); if it belongs to a user, the SHA-256 of the user's name follows (32).
 *
 * A number's row: what it was used for (1: 1 a retryable write, 2 a committed transaction, 3 a fence; plus 80 hex if the
 * session has kept rows), the number (8), the highest number of the session whose record has been removed (8, -1 if
 * there is none), the wall clock at the last write in milliseconds (8), the cluster time of the last write (8), how many
 * further parts there are (4). Then, up to 512 bytes, runs of statements of the same outcome: kind, id of the first one,
 * how many; the ids follow each other. The two numbers take 7 bits per byte, the lowest first, the high bit set in all but
 * the last byte.
 *
 * <pre>
 * 00 inserted    01 deleted nothing    02 deleted one    03 nothing matched    04 matched    05 modified
 * 06 upserted; a document whose only field, without a name, is the _id follows
 * 07 answered; the answer's fields follow as a document
 * 08 updated more than one; a document follows: n, nModified
 * 09 deleted more than one; a document follows: n
 * 0a failed; a document follows: code, codeName, errmsg, details, update (whether it was one)
 * </pre>
 *
 * The last three are of tokens only.
 *
 * So a session's first number, 1, with one statement that has modified a document is
 *
 * <pre>
 * 01 0000000000000001 ffffffffffffffff 0000019a9f3c5e00 6920a1b300000001 00000000 05 00 01
 * </pre>
 *
 * <p>A token is the SHA-256 of its BSON type (1), its subtype (1, 0 for strings) and its bytes; its owner is as of a
 * session, and zeros without a user. Its record: the state (1: 1 some statements have happened, 2 ended, 3 a fence), the
 * command (1: 0 insert, 1 update, 2 delete, 3 findAndModify, 4 bulkWrite), a hash of the command (32), a part of one
 * without the {@code _id}s of inserted documents (8), the wall clock at the last writing (8) and at the expiry (8) in
 * milliseconds, how many statements the command has (4), how many further parts there are (4), the token's type (1),
 * subtype (1), length (2) and bytes. Then runs of statements as above; their ids are their places in the command.
 */
@NullMarked
package dev.semel.server.once;

import org.jspecify.annotations.NullMarked;
