/**
 * {@code semel lab}: the experiment of A. Jesse Jiryu Davis's article "How To Write Resilient MongoDB Applications", done
 * live. Start with {@link dev.semel.cli.lab.Strategies}; {@link dev.semel.cli.lab.Experiment} tries each of them with the
 * audit of {@code blackpipe}. {@link dev.semel.cli.lab.KilledPrimaries} is the second act, on a set of three.
 */
@NullMarked
package dev.semel.cli.lab;

import org.jspecify.annotations.NullMarked;
