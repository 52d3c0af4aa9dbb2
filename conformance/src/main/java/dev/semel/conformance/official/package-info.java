/**
 * The official driver behind the adapter. Start at {@link dev.semel.conformance.official.OfficialDriver}.
 */
@NullMarked
package dev.semel.conformance.official;

import org.jspecify.annotations.NullMarked;
