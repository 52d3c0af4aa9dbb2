/**
 * Does an operation have its effect exactly once despite faults? {@link dev.semel.blackpipe.audit.Audit} runs it once
 * without faults to record its messages, then once for each message and each fault, and derives the verdict from the
 * data. Uses {@code proxy}, {@code fault} and {@code message}.
 *
 * <p>The question, and three of the kinds of failure (transient error, outage, command error), come from A. Jesse Jiryu
 * Davis's article "How To Write Resilient MongoDB Applications".
 */
@NullMarked
package dev.semel.blackpipe.audit;

import org.jspecify.annotations.NullMarked;
