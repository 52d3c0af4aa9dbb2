/**
 * Runs cases of the unified test format: entities, operations, and what is expected of results, errors, events and logs.
 * Knows drivers only through the adapter. Start at {@link dev.semel.conformance.unified.CaseRunner}.
 */
@NullMarked
package dev.semel.conformance.unified;

import org.jspecify.annotations.NullMarked;
