/** What monitoring sees: commands, attempts, pools, servers. Events are values; listeners are called on the thread that acts. */
@NullMarked
package dev.semel.driver.event;

import org.jspecify.annotations.NullMarked;
