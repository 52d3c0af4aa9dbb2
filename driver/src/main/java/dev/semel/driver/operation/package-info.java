/**
 * Operations: from arguments to a command, from the answer to a result. Each is an
 * {@link dev.semel.driver.execution.Operation}; how it is carried out is not known here.
 */
@NullMarked
package dev.semel.driver.operation;

import org.jspecify.annotations.NullMarked;
