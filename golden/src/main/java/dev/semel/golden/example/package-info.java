/**
 * The examples on the pages for users, so that a test can paste and run each of them. Start at
 * {@link dev.semel.golden.example.Example}; {@link dev.semel.golden.example.ClientProgram} runs those for shells and other
 * languages, {@link dev.semel.golden.example.JavaExample} those in Java. {@code ExamplesTest} in the module {@code cli} says
 * of every example on every page how it is tested.
 */
@NullMarked
package dev.semel.golden.example;

import org.jspecify.annotations.NullMarked;
