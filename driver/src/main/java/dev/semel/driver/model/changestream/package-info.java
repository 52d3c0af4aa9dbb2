/** Events of change streams, with the names of the official driver. */
@NullMarked
package dev.semel.driver.model.changestream;

import org.jspecify.annotations.NullMarked;
