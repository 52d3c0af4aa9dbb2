/** Compares this project's driver with the official one, on the same server and in the same run. Start with {@code DriverLoad}. */
@NullMarked
package dev.semel.bench.driver;

import org.jspecify.annotations.NullMarked;
