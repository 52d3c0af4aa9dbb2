/**
 * One connection to one server: a socket, TLS, the handshake with authentication, messages and their compression. Start at
 * {@link dev.semel.driver.connection.Connection}.
 */
@NullMarked
package dev.semel.driver.connection;

import org.jspecify.annotations.NullMarked;
