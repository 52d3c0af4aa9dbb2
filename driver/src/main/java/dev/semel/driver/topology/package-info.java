/**
 * Which servers there are and which of them to use. {@link dev.semel.driver.topology.TopologyMachine} and
 * {@link dev.semel.driver.topology.ServerSelection} decide, as functions of their inputs; {@code Monitor} watches one server
 * each and {@link dev.semel.driver.topology.Topology} brings them together.
 */
@NullMarked
package dev.semel.driver.topology;

import org.jspecify.annotations.NullMarked;
