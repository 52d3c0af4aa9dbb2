package dev.semel.server;

import dev.semel.server.command.Concerns;
import dev.semel.server.command.DefaultConcerns;
import dev.semel.server.command.Dispatcher;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.settings.Settings;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.Value;

/**
 * The state of the server that its commands need.
 *
 * @param process a number that another run of the server does not have
 */
record NodeState(ReplicaSet replicaSet, ObjectId process, Settings settings, DefaultConcerns concerns)
        implements Dispatcher.Node {
    @Override
    public boolean isReplicaSetMember() {
        return replicaSet.name() != null;
    }

    @Override
    public boolean isWritablePrimary() {
        return replicaSet.isWritablePrimary();
    }

    @Override
    public boolean isReadable() {
        return replicaSet.isReadable();
    }

    @Override
    public void addTopologyVersion(BsonWriter reply) {
        reply.startDocument("topologyVersion")
                .put("processId", new Value.Oid(process))
                .put("counter", replicaSet.topologyCounter())
                .end();
    }

    @Override
    public void confirmPrimary(Interruption interruption) {
        replicaSet.confirmPrimary(interruption);
    }

    @Override
    public void seen(long clusterTime) {
        replicaSet.seen(clusterTime);
    }

    @Override
    public int dataBearingMembers() {
        return replicaSet.dataBearingMembers();
    }

    @Override
    public boolean awaitMembers(int members, long nanosMax, Interruption interruption) {
        return replicaSet.awaitMembers(members, nanosMax, interruption);
    }

    @Override
    public boolean hasMode(String mode) {
        return replicaSet.hasMode(mode);
    }

    @Override
    public boolean awaitMode(String mode, long nanosMax, Interruption interruption) {
        return replicaSet.awaitMode(mode, nanosMax, interruption);
    }

    @Override
    public Concerns defaultConcerns() {
        return concerns.concerns();
    }

    @Override
    public boolean requiresApiVersion() {
        return settings.requireApiVersion.value();
    }

    @Override
    public boolean acceptsApiVersion2() {
        return settings.acceptApiVersion2.value();
    }
}
