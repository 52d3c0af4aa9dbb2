/**
 * Deliberate faults: a list says which text of a source file becomes what, and which tests fail then. Start at {@link
 * dev.semel.golden.mutation.Mutations}; uses the compiler of the JDK and the JUnit launcher.
 */
@NullMarked
package dev.semel.golden.mutation;

import org.jspecify.annotations.NullMarked;
