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
 *   <li>{@code dev.semel.cluster.Cluster}: the replica set, where there are several {@link #members}; members that the test
 *       stops run again before the next test
 * </ul>
 *
 * Tests may run in parallel; tests of one class that stop members may not.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SemelExtension.class)
public @interface SemelTest {
    /**
     * 1: a set of one, the server that all tests share. More: a replica set of so many members, which the tests of this
     * class share; needs {@code dev.semel:semel-cluster} on the class path.
     */
    int members() default 1;
}
