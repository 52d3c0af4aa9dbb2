/**
 * Does a set keep its promises while members stop, links break and clocks jump? Tests only: a {@code Schedule} is drawn from a seed;
 * {@code Run} lets it happen to a {@code FaultySet} under the load of several {@code Workload}s, and then asks these what is wrong.
 * {@code Faults} runs many. To see that the workloads notice something, a {@code Plant} replaces a part of the members by one
 * with a defect.
 */
@NullMarked
package dev.semel.faults;

import org.jspecify.annotations.NullMarked;
