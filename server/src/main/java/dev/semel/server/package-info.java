/**
 * The database: what starts, wires and stops it. Uses {@code wire}, {@code query} and {@code store}, and nothing of the
 * application that embeds it.
 */
@NullMarked
package dev.semel.server;

import org.jspecify.annotations.NullMarked;
