/** What it costs others that a server holds much: streams that wait, for instance. Runs a server of its own. */
@NullMarked
package dev.semel.bench.held;

import org.jspecify.annotations.NullMarked;
