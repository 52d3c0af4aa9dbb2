/**
 * This project's driver behind the adapter. Start at {@link dev.semel.conformance.own.OwnDriver}.
 */
@NullMarked
package dev.semel.conformance.own;

import org.jspecify.annotations.NullMarked;
