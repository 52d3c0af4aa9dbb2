/**
 * This project's driver behind the adapter. Start at {@link dev.semel.conformance.own.OwnDriver}. Most classes are made
 * from those of the official driver, with other imports: change those, and run {@code AdaptersTest} with {@code -Drewrite}.
 */
@NullMarked
package dev.semel.conformance.own;

import org.jspecify.annotations.NullMarked;
