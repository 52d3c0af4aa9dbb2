/** Encryption and proofs of identity between the server and the drivers, this project's own above all. */
@NullMarked
package dev.semel.cli.secure;

import org.jspecify.annotations.NullMarked;
