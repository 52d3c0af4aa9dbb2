/**
 * What this node is to others: alone, or a member of a replica set, and then which. Start at
 * {@link dev.semel.server.replica.ReplicaSet}.
 */
@NullMarked
package dev.semel.server.replica;

import org.jspecify.annotations.NullMarked;
