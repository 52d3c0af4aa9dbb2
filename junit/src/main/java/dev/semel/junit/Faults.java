package dev.semel.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Injects faults between this test and the server, by a plan in YAML as {@code semel proxy} takes it. Every client and every
 * connection string that the test is given connects through a proxy with this plan.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@SemelTest
public @interface Faults {
    /** The plan; empty for a proxy that the test controls itself. */
    String value() default "";
}
