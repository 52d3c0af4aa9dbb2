/**
 * The Java driver: a synchronous API, cheap on virtual threads, with the names of the official driver. It does not
 * depend on the server, and works with every server that speaks the protocol.
 *
 * <p>Each package sees only those below it: this one, {@code operation}, {@code execution}, {@code topology}, {@code pool},
 * {@code connection}; beside them {@code event}, {@code description}, {@code error} and {@code setting} hold values, and {@code
 * gridfs} is built on this one.
 */
@NullMarked
package dev.semel.driver;

import org.jspecify.annotations.NullMarked;
