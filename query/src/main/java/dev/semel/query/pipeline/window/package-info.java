/**
 * What {@code $setWindowFields} computes: for each document of a partition, in order, values over the documents around it.
 * A {@link dev.semel.query.pipeline.window.WindowFunction} is parsed once; started on a {@link
 * dev.semel.query.pipeline.window.Partition} it gives one value after the other. Windows only move forward, so a document
 * enters a window once and leaves it once: the work is linear in the documents, whatever the size of the windows.
 *
 * <p>Pure, and without knowledge of pipelines; uses {@code query.expression}, {@code query.value} and {@code wire}. Start
 * with {@link dev.semel.query.pipeline.window.Framed}.
 */
@NullMarked
package dev.semel.query.pipeline.window;

import org.jspecify.annotations.NullMarked;
