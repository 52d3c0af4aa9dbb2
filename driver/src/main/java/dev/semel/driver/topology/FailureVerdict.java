package dev.semel.driver.topology;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.TopologyVersion;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoSecurityException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.error.MongoSocketReadTimeoutException;
import dev.semel.driver.error.MongoSocketWriteTimeoutException;
import dev.semel.driver.error.MongoWriteConcernException;
import dev.semel.driver.error.StateChange;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** What the failure of an operation says about the server it failed on. */
record FailureVerdict(boolean marksUnknown, boolean clearsPool, boolean asksForCheck, boolean cancelsCheck) {
    static final FailureVerdict NOTHING = new FailureVerdict(false, false, false, false);

    /** Of a connection of the pool's current generation; an older one says nothing about the server as it is now. */
    static FailureVerdict of(ServerDescription server, MongoException failure, Connection.Phase phase) {
        BsonDocument reply = reply(failure);
        if (reply != null) {
            return ofReply(server, reply);
        }
        boolean isNetwork = failure instanceof MongoSocketException;
        return switch (phase) {
            case HELLO ->
                isNetwork && !failure.hasErrorLabel(MongoException.SYSTEM_OVERLOADED_ERROR_LABEL)
                        ? new FailureVerdict(true, true, false, true)
                        : NOTHING;
            case AUTHENTICATING ->
                isNetwork || failure instanceof MongoSecurityException
                        ? new FailureVerdict(true, true, false, isNetwork)
                        : NOTHING;
            // A slow operation is no sign of a dead server.
            case OPEN ->
                isNetwork
                                && !(failure instanceof MongoSocketReadTimeoutException)
                                && !(failure instanceof MongoSocketWriteTimeoutException)
                        ? new FailureVerdict(true, true, false, true)
                        : NOTHING;
        };
    }

    static FailureVerdict ofReply(ServerDescription server, BsonDocument reply) {
        StateChange change = StateChange.of(reply);
        if (change == StateChange.NONE
                || TopologyVersion.compare(server.topologyVersion(), TopologyVersion.of(reply)) >= 0) {
            return NOTHING;
        }
        return new FailureVerdict(true, change == StateChange.SHUTTING_DOWN, true, false);
    }

    static @Nullable BsonDocument reply(MongoException failure) {
        return switch (failure) {
            case MongoCommandException command -> command.getResponse();
            case MongoWriteConcernException concern -> concern.getResponse();
            default -> null;
        };
    }
}
