/**
 * What goes wrong, and when: a {@link dev.semel.blackpipe.fault.Rule} is a choice of requests, a moment and an action; a
 * {@link dev.semel.blackpipe.fault.Plan} is a list of rules that count; {@link dev.semel.blackpipe.fault.PlanText} reads
 * one from YAML. Nothing here does input or output.
 */
@NullMarked
package dev.semel.blackpipe.fault;

import org.jspecify.annotations.NullMarked;
