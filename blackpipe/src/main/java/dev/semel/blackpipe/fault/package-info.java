/**
 * Fault plans: a {@link dev.semel.blackpipe.fault.Rule} is a match for requests, a phase and an action; a
 * {@link dev.semel.blackpipe.fault.Plan} is a list of rules with counters; {@link dev.semel.blackpipe.fault.PlanText} reads
 * one from YAML. Nothing here does input or output.
 */
@NullMarked
package dev.semel.blackpipe.fault;

import org.jspecify.annotations.NullMarked;
