/** What is known of the servers, as immutable values; {@code topology} creates them, {@code event} contains them. */
@NullMarked
package dev.semel.driver.description;

import org.jspecify.annotations.NullMarked;
