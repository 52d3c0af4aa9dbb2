/** What is promised of messages, above all of malformed ones. */
@NullMarked
package dev.semel.wire.message;

import org.jspecify.annotations.NullMarked;
