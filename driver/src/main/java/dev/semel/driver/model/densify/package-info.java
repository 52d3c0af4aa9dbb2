/** Options of {@code $densify}; {@link dev.semel.driver.model.Aggregates} takes them. */
@NullMarked
package dev.semel.driver.model.densify;

import org.jspecify.annotations.NullMarked;
