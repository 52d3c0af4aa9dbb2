/** What operations are told and what they answer, with the names of the official driver. */
@NullMarked
package dev.semel.driver.model;

import org.jspecify.annotations.NullMarked;
