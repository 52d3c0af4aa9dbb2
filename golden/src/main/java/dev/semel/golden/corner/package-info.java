/**
 * Inputs that somebody wrote, with values at which code goes wrong: {@link dev.semel.golden.corner.Corners} has them,
 * {@link dev.semel.golden.corner.Place} puts each into each place of a document, and
 * {@link dev.semel.golden.corner.CornerScripts} into those of all inputs of scripts.
 */
@NullMarked
package dev.semel.golden.corner;

import org.jspecify.annotations.NullMarked;
