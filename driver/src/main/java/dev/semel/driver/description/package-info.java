/** What is known of the servers, as immutable values; {@code topology} makes them, {@code event} tells of them. */
@NullMarked
package dev.semel.driver.description;

import org.jspecify.annotations.NullMarked;
