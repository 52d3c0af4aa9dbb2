/**
 * Micro-benchmarks and the load generator: numbers to argue with. Nothing here ships.
 */
@NullMarked
package dev.semel.bench;

import org.jspecify.annotations.NullMarked;
