/**
 * Text scripts with expected output beside the input, seeds for generated tests, and what else several modules' tests need. Uses the JDK and
 * JUnit.
 */
@NullMarked
package dev.semel.golden;

import org.jspecify.annotations.NullMarked;
