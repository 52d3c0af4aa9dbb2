/**
 * The structured log: {@link dev.semel.driver.logging.Log} decides what is written, by component and level, and the others turn
 * events into messages. Where messages go is the host's business, as with every {@link System.Logger}.
 */
@NullMarked
package dev.semel.driver.logging;

import org.jspecify.annotations.NullMarked;
