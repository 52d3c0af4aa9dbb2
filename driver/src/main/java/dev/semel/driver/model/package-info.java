/** Options, models, builders and results of operations, with the names of the official driver. */
@NullMarked
package dev.semel.driver.model;

import org.jspecify.annotations.NullMarked;
