/**
 * Micro-benchmarks of single parts, run by {@code org.openjdk.jmh.Main} with this module's class path; {@code -prof gc}
 * adds what each operation allocates, which matters as much as its time.
 */
@NullMarked
package dev.semel.bench.micro;

import org.jspecify.annotations.NullMarked;
