package dev.semel.cluster.faults;

import dev.semel.replication.ReplicationNode;
import dev.semel.replication.ReplicationOptions;
import dev.semel.replication.ratis.RatisNode;
import dev.semel.store.Store;
import java.io.IOException;

/** A defect of the members, which the workloads must notice. */
enum Plant {
    NONE;

    ReplicationNode engine(ReplicationOptions options, Network network) throws IOException {
        return RatisNode.start(options, network);
    }

    /** Each time a server is opened on the data of a member. */
    Store opened(Store store) {
        return store;
    }
}
