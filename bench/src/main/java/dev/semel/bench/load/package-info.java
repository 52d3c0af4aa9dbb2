/**
 * The load generator: the same few operations against any server that speaks MongoDB's protocol, and against
 * PostgreSQL, with the processor time the server spent on each. Start with {@link dev.semel.bench.load.Load}.
 */
@NullMarked
package dev.semel.bench.load;

import org.jspecify.annotations.NullMarked;
