package dev.semel.server.replica;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A server that belongs to no replica set. */
public final class Standalone implements ReplicaSet {
    private final LongSupplier nanoTime;

    public Standalone(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
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
        return 0;
    }

    @Override
    public void awaitChange(long counter, long nanosMax, Interruption interruption) {
        SingleMember.awaitNothing(nanoTime, nanosMax, interruption);
    }

    @Override
    public void describe(BsonWriter hello) {
        // The absence of these fields is how a driver recognises a standalone server.
    }

    @Override
    public void status(BsonWriter reply) {
        throw notReplicated();
    }

    @Override
    public void configuration(BsonWriter reply) {
        throw notReplicated();
    }

    private static CommandException notReplicated() {
        return new CommandException(ErrorCode.NoReplicationEnabled, "not running with --replSet");
    }
}
