/**
 * The replicated log: a Raft group per database, whose members agree on one order of opaque entries. Begin with
 * {@link dev.semel.replication.ReplicationEngine}, the member of one group, and {@link dev.semel.replication.ReplicatedState},
 * what the entries are applied to. A {@link dev.semel.replication.ReplicationNode} holds the members of several groups that
 * share one port. {@code ratis} implements this package on Apache Ratis. Uses no other module.
 */
@NullMarked
package dev.semel.replication;

import org.jspecify.annotations.NullMarked;
