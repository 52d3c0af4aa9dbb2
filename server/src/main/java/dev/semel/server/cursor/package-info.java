/**
 * Results that a client takes in batches. A cursor lives from the command that opened it to its last batch, its kill or
 * its idle limit; in between it holds a position in its result and the snapshot that the result is read from, so that
 * every batch shows the same instant, but no iterator of the engine. Start at {@link dev.semel.server.cursor.Cursors}.
 */
@NullMarked
package dev.semel.server.cursor;

import org.jspecify.annotations.NullMarked;
