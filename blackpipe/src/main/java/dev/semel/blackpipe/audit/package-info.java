/**
 * Does an operation have its effect exactly once, whatever goes wrong? {@link dev.semel.blackpipe.audit.Audit} runs it once
 * to learn its messages, then once for each moment at which something can go wrong, and reads the verdict from the data.
 * Uses {@code proxy}, {@code fault} and {@code message}.
 *
 * <p>The question, and three of the kinds of failure by which it is asked (transient error, outage, command error), are those of A. Jesse Jiryu Davis's article "How To
 * Write Resilient MongoDB Applications".
 */
@NullMarked
package dev.semel.blackpipe.audit;

import org.jspecify.annotations.NullMarked;
