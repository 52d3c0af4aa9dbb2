package dev.semel.cluster;

import dev.semel.replication.Links;
import dev.semel.replication.ReplicationNode;
import dev.semel.replication.ReplicationOptions;
import dev.semel.replication.ratis.RatisNode;
import dev.semel.store.Store;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.UnaryOperator;

/**
 * Parts of a member that tests replace by others.
 *
 * @param clock of the member
 * @param engine starts the consensus engine
 * @param opened is given the data of the member each time before a server uses it
 */
record MemberParts(InstantSource clock, EngineStart engine, UnaryOperator<Store> opened) {
    static final MemberParts USUAL =
            new MemberParts(InstantSource.system(), RatisNode::start, UnaryOperator.identity());

    @FunctionalInterface
    interface EngineStart {
        ReplicationNode start(ReplicationOptions options, Links links) throws IOException;
    }
}
