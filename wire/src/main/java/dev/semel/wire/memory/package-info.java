/**
 * The account of the heap that clients can make a process fill. A {@link dev.semel.wire.memory.MemoryAccount} is divided
 * into named {@link dev.semel.wire.memory.MemoryPart}s, each with a limit that is a parameter: uncommitted writes, sorts and
 * groups, requests, replies. Whoever is about to hold memory on behalf of a client reserves it there first, and releases it
 * when it lets go; a {@link dev.semel.wire.memory.Reservation} keeps count for one holder. What does not fit waits or is
 * refused by the holder, in the words of its command.
 *
 * <p>Bytes are estimates of heap, not of content: {@link dev.semel.wire.memory.HeapBytes} knows what an array costs. It is in
 * this module because queries, the store and the server all draw from one account.
 */
@NullMarked
package dev.semel.wire.memory;

import org.jspecify.annotations.NullMarked;
