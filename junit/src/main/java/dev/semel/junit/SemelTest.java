package dev.semel.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Each test of the class, or this test, has its own database on a server that all tests of the JVM share. Parameters of
 * tests are resolved by their type, and closed when the test ends:
 *
 * <ul>
 *   <li>{@code String}: the connection string, with the test's database in it
 *   <li>{@code MongoClient}, {@code MongoDatabase}: of the official driver, or of Semel's
 *   <li>{@link SemelServer}: the server
 *   <li>{@link dev.semel.blackpipe.proxy.Proxy}: the proxy, where the test has {@link Faults}
 * </ul>
 *
 * Tests may run in parallel.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SemelExtension.class)
public @interface SemelTest {}
