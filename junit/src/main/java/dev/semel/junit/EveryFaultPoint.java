package dev.semel.junit;

import dev.semel.blackpipe.audit.Kind;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The method is an operation that must have its effect exactly once. It runs once without faults to record its
 * messages, then once for each message and each fault; each of these runs is a test.
 *
 * <pre>{@code
 * @EveryFaultPoint(timesApplied = "visits")
 * void countVisit(MongoDatabase database) { ... }
 *
 * long visits(MongoDatabase database) { ... }
 * }</pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@SemelTest
@TestTemplate
@ExtendWith(EveryFaultPointExtension.class)
public @interface EveryFaultPoint {
    /**
     * The method that returns how many times the effect is present in the database; its parameters are like those of a
     * test. If only part of the effect is there, it returns a fraction, or throws {@link
     * dev.semel.blackpipe.audit.PartlyApplied}.
     */
    String timesApplied();

    /** The faults to try; all of them by default. */
    Kind[] faults() default {};
}
