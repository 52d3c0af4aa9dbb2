/** What {@code $search} and {@code $vectorSearch} ask for; {@link dev.semel.driver.model.Aggregates} takes it. */
@NullMarked
package dev.semel.driver.model.search;

import org.jspecify.annotations.NullMarked;
