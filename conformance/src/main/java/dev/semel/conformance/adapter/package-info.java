/**
 * What the runner needs of a driver under test, in the words of the unified test format. Start at {@link
 * dev.semel.conformance.adapter.Driver}; uses nothing but BSON values.
 */
@NullMarked
package dev.semel.conformance.adapter;

import org.jspecify.annotations.NullMarked;
