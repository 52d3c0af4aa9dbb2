/**
 * Temporary storage outside of the heap, as code sees it that may not open files: a sequence of byte strings is written to a
 * {@link dev.semel.wire.spill.SpillWriter}, becomes a {@link dev.semel.wire.spill.SpilledRun}, and is read front to back by any
 * number of {@link dev.semel.wire.spill.SpillReader}s. It is in this module because queries use what the store provides.
 *
 * <pre>{@code
 * try (SpillWriter writer = space.write()) {
 *     writer.add(bytes, 0, bytes.length);
 *     run = writer.finish();
 * }
 * try (SpillReader reader = run.read()) {
 *     while (reader.next()) visit(reader.array(), reader.offset(), reader.length());
 * }
 * run.close();
 * }</pre>
 */
@NullMarked
package dev.semel.wire.spill;

import org.jspecify.annotations.NullMarked;
