/**
 * Where the results of a pipeline go when its last stage writes them: {@code $out} and {@code $merge}. Begin with
 * {@link dev.semel.server.output.Outputs}; {@link dev.semel.server.output.OutputStages} reads the stages.
 */
@NullMarked
package dev.semel.server.output;

import org.jspecify.annotations.NullMarked;
