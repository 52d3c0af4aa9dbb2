/** Which threads may wait. */
@NullMarked
package dev.semel.wire.thread;

import org.jspecify.annotations.NullMarked;
