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
 * The method is an operation that has to have its effect exactly once. It runs once to learn what it sends, then once for
 * each message and each thing that can go wrong with it, each of which is a test.
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
     * The method that says how often the effect is in the database; its parameters are like those of a test. Where it finds
     * some of the effect and not the rest, it returns a fraction, or throws {@link dev.semel.blackpipe.audit.PartlyApplied}.
     */
    String timesApplied();

    /** What goes wrong; everything unless said. */
    Kind[] faults() default {};
}
