/** The arithmetic of SCRAM, by the examples of its standards. */
@NullMarked
package dev.semel.wire.scram;

import org.jspecify.annotations.NullMarked;
