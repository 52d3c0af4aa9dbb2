package dev.semel.server.replica;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.BsonWriter;
import org.jspecify.annotations.Nullable;

/** This node's role in its replica set, as it is reported to clients. */
public interface ReplicaSet {
    /** The set's name; null for a server that belongs to none. */
    @Nullable
    String name();

    boolean isWritablePrimary();

    /**
     * Whether clients can read here: not while this member waits for the data of another one, nor when
     * {@code replSetMaintenance} says so.
     */
    default boolean isReadable() {
        return true;
    }

    /**
     * Returns when it is certain that no other member had become primary by the time of the call; fails with
     * {@code NotWritablePrimary} if one has, and as the operation is to if it is to stop.
     */
    default void confirmPrimary(Interruption interruption) {}

    /** A client has seen this cluster time, and nothing that is visible here is as late. Returns at once. */
    default void seen(long clusterTime) {}

    /** How many members have the data. */
    default int dataBearingMembers() {
        return 1;
    }

    /**
     * Waits until that many members have everything that is applied here, for a limited time; whether they have. Fails
     * with {@code PrimarySteppedDown} if this member ceases to be primary meanwhile.
     */
    default boolean awaitMembers(int members, long nanosMax, Interruption interruption) {
        return members <= 1;
    }

    /** Whether the configuration has a write concern of this name. */
    default boolean hasMode(String mode) {
        return false;
    }

    /** The same as {@link #awaitMembers} for a write concern that the configuration names. */
    default boolean awaitMode(String mode, long nanosMax, Interruption interruption) {
        return false;
    }

    /** Which state of affairs this is; a higher number is a newer one. */
    long topologyCounter();

    /** Returns when the counter has passed the given one, or after the given time. */
    void awaitChange(long counter, long nanosMax, Interruption interruption);

    /**
     * The fields of {@code hello} that say who is primary and who else there is; none for a server that is alone.
     *
     * @return whether this node is a writable primary, of the same moment as the fields
     */
    boolean describe(BsonWriter hello);

    /** The fields of {@code replSetGetStatus}. */
    void status(BsonWriter reply);

    /** The document of {@code replSetGetConfig}. */
    void configuration(BsonWriter reply);

    default SetAdministration administration() {
        return SetAdministration.NONE;
    }
}
