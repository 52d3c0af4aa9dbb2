/** Options and output of {@code $fill}; {@link dev.semel.driver.model.Aggregates} takes them. */
@NullMarked
package dev.semel.driver.model.fill;

import org.jspecify.annotations.NullMarked;
