/**
 * How an operation is carried out: {@link dev.semel.driver.execution.Execution} is the one retry loop for reads and writes,
 * with deadlines, sessions and monitoring.
 */
@NullMarked
package dev.semel.driver.execution;

import org.jspecify.annotations.NullMarked;
