package dev.semel.driver.execution;

import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoWriteConcernException;
import java.util.Set;

/** Servers before 4.4 do not label the errors of writes that may be repeated: the driver does it for them, by their codes. */
final class OldServers {
    private static final int LABELLING_WIRE_VERSION = 9;
    private static final Set<Integer> RETRYABLE_CODES =
            Set.of(11600, 11602, 10107, 13435, 13436, 189, 91, 7, 6, 89, 9001, 262);

    private OldServers() {}

    static boolean isOld(ConnectionDescription server) {
        return server.maxWireVersion() < LABELLING_WIRE_VERSION;
    }

    /** A router has repeated the write itself where its write concern failed, and single statements never count. */
    static void label(MongoException failure, ConnectionDescription server) {
        boolean counts = failure instanceof MongoCommandException
                || (failure instanceof MongoWriteConcernException && server.serverType() != ServerType.MONGOS);
        if (counts && RETRYABLE_CODES.contains(failure.getCode())) {
            failure.addLabel(MongoException.RETRYABLE_WRITE_ERROR_LABEL);
        }
    }
}
