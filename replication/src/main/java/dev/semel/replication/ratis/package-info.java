/**
 * The replicated log on Apache Ratis; nothing else uses Ratis. Begin with {@link dev.semel.replication.ratis.RatisNode}.
 *
 * <p>An entry of the log holds the bytes of one proposal; an entry without bytes is a barrier. Ratis applies committed
 * entries one at a time on its own thread; {@link dev.semel.replication.ratis.StateThread} collects them into batches
 * and is the only thread that touches the state.
 *
 * <p>Folders: {@code <folder>/<group id>/current} holds the log, {@code sm/checkpoint-<term>-<index>} the checkpoints.
 * Installing a checkpoint of the leader replaces {@code sm}, so a state must not live there.
 */
@NullMarked
package dev.semel.replication.ratis;

import org.jspecify.annotations.NullMarked;
