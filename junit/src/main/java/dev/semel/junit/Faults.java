package dev.semel.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Injects faults between this test and the server, with a plan in YAML as for {@code semel proxy}. All clients and
 * connection strings of the test connect through a proxy with this plan.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@SemelTest
public @interface Faults {
    /** The plan; empty if the test controls the proxy itself. */
    String value() default "";
}
