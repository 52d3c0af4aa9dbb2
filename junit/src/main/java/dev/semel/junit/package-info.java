/**
 * Semel in tests: {@link dev.semel.junit.SemelTest} gives each test its own database on one server in the JVM of the
 * tests; {@link dev.semel.junit.Faults} injects faults into its connections; {@link dev.semel.junit.EveryFaultPoint}
 * tries an operation with every fault at every message. {@link dev.semel.junit.SemelServer} is the same server without
 * JUnit.
 */
@NullMarked
package dev.semel.junit;

import org.jspecify.annotations.NullMarked;
