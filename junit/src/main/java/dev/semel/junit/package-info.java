/**
 * Semel in tests: {@link dev.semel.junit.SemelTest} hands each test a database of its own on one server in the JVM of the
 * tests; {@link dev.semel.junit.Faults} breaks the way to it; {@link dev.semel.junit.EveryFaultPoint} tries an operation at
 * every moment at which something can go wrong. {@link dev.semel.junit.SemelServer} is the same server without JUnit.
 */
@NullMarked
package dev.semel.junit;

import org.jspecify.annotations.NullMarked;
