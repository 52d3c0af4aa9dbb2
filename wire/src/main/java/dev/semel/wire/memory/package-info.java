/**
 * The account of the heap that clients can make a process fill. A {@link dev.semel.wire.memory.MemoryAccount} is divided
 * into named {@link dev.semel.wire.memory.MemoryPart}s, each with a limit that is a parameter: uncommitted writes, sorts and
 * groups, requests, replies. Code that is about to hold memory on behalf of a client reserves it first, and releases it
 * afterwards; a {@link dev.semel.wire.memory.Reservation} counts for one holder. What does not fit waits or is refused by
 * the holder, with an error that fits its command.
 *
 * <p>Bytes are estimates of heap, not of content: {@link dev.semel.wire.memory.HeapBytes} knows what an array costs. It is in
 * this module because queries, the store and the server all draw from one account.
 */
@NullMarked
package dev.semel.wire.memory;

import org.jspecify.annotations.NullMarked;
