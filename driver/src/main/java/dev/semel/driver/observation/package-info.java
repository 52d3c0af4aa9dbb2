/**
 * Commands as observations of Micrometer. The only package that needs Micrometer: an optional dependency, which the application
 * brings if it uses this.
 */
@NullMarked
package dev.semel.driver.observation;

import org.jspecify.annotations.NullMarked;
