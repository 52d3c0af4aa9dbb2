/**
 * Spring tests on Semel: with this module among the test dependencies, every test's application context finds the connection
 * string of its own server. Spring's test framework starts the server, so that it works without Boot; for Boot, {@code
 * boot3} and {@code boot4} say where it is in the type that each of them has for it. Start with {@link
 * dev.semel.spring.SemelContextCustomizerFactory}.
 */
@NullMarked
package dev.semel.spring;

import org.jspecify.annotations.NullMarked;
