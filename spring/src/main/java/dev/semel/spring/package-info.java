/**
 * Spring tests on Semel: with this module among the test dependencies, every test's application context finds the connection
 * string of a server of its own where Spring Boot looks for one. It hangs on Spring's test framework, not on Boot, so that it
 * works with Boot 3 and 4. Start with {@link dev.semel.spring.SemelContextCustomizerFactory}.
 */
@NullMarked
package dev.semel.spring;

import org.jspecify.annotations.NullMarked;
