/**
 * Does a set keep its promises while members stop, links break and clocks jump? A {@link dev.semel.cluster.faults.Schedule}
 * is drawn from a seed; {@link dev.semel.cluster.faults.Run} lets it happen to a {@link dev.semel.cluster.faults.FaultySet}
 * under the load of several {@link dev.semel.cluster.faults.Workload workloads}, and then asks these what is wrong.
 * {@link dev.semel.cluster.faults.Faults} runs many. To see that the workloads notice something, a
 * {@link dev.semel.cluster.faults.Plant} replaces a part of the members by one with a defect.
 */
@NullMarked
package dev.semel.cluster.faults;

import org.jspecify.annotations.NullMarked;
