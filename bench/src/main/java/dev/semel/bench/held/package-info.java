/** What it costs others that much is held: streams that wait, locks that many wait for. Each class is a program. */
@NullMarked
package dev.semel.bench.held;

import org.jspecify.annotations.NullMarked;
