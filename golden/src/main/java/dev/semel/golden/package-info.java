/**
 * Text scripts with expected output beside the input, and seeds for generated tests. For tests only; uses the JDK and
 * JUnit.
 */
@NullMarked
package dev.semel.golden;

import org.jspecify.annotations.NullMarked;
