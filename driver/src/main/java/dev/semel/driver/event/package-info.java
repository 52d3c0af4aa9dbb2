/**
 * Events of commands, attempts, pools and servers for monitoring. Events are values; listeners are called on the thread
 * that acts.
 */
@NullMarked
package dev.semel.driver.event;

import org.jspecify.annotations.NullMarked;
