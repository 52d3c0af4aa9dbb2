package dev.semel.server.replica;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.BsonWriter;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A server that belongs to no replica set. */
public final class Standalone implements ReplicaSet {
    private final TopologyChanges changes;

    public Standalone(LongSupplier nanoTime) {
        this.changes = new TopologyChanges(nanoTime);
    }

    @Override
    public @Nullable String name() {
        return null;
    }

    @Override
    public boolean isWritablePrimary() {
        return true;
    }

    @Override
    public long topologyCounter() {
        return changes.counter();
    }

    @Override
    public void awaitChange(long counter, long nanosMax, Interruption interruption) {
        changes.await(counter, nanosMax, interruption);
    }

    @Override
    public boolean describe(BsonWriter hello) {
        // The absence of these fields is how a driver recognises a standalone server.
        return true;
    }

    @Override
    public void status(BsonWriter reply) {
        throw SetAdministration.notReplicated();
    }

    @Override
    public void configuration(BsonWriter reply) {
        throw SetAdministration.notReplicated();
    }
}
