/**
 * The server under test, started in this process. Start at {@link dev.semel.conformance.subject.Subject}.
 */
@NullMarked
package dev.semel.conformance.subject;

import org.jspecify.annotations.NullMarked;
