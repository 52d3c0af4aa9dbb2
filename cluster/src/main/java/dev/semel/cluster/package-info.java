/**
 * Replica sets of several members: the commit log of a server over a consensus log. Start at
 * {@link dev.semel.cluster.Cluster} for a set in one process, at {@link dev.semel.cluster.Member} for one member.
 *
 * <p>{@link dev.semel.cluster.RaftCommitLog} packs commits into entries and applies entries; those on their way are in
 * {@link dev.semel.cluster.CommitPipeline}, what entries look like is in {@link dev.semel.cluster.EntryCodec}. Uses the server, the store's commit records and {@code replication}.
 */
@NullMarked
package dev.semel.cluster;

import org.jspecify.annotations.NullMarked;
