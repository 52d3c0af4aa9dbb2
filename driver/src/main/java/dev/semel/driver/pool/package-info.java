/** Connections to one server, kept for reuse: {@link dev.semel.driver.pool.Pool}. */
@NullMarked
package dev.semel.driver.pool;

import org.jspecify.annotations.NullMarked;
