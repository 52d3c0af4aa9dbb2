package dev.semel.driver.execution;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.MalformedReply;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.topology.ServerBinding;
import dev.semel.wire.message.Message;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** One command and its reply on one connection, and the listeners to notify. */
record Exchange<R>(
        Operation<R> operation,
        long operationId,
        Session session,
        Deadline deadline,
        ExecutionContext context,
        Connection connection,
        ServerBinding server) {
    int encode(OutgoingCommand command, boolean isAcknowledged) {
        return connection.encode(command, isAcknowledged ? 0 : Message.OpMsg.MORE_TO_COME);
    }

    R result(int requestId, boolean isAcknowledged) {
        Monitoring monitoring = context.monitoring();
        Monitoring.Attempt told = monitoring.isHeard()
                ? monitoring.started(operationId, requestId, connection, operation.database(), operation.commandName())
                : null;
        long start = context.settings().time().nanos();
        try {
            connection.send(operation.commandName(), deadline);
            if (!isAcknowledged) {
                if (told != null) {
                    monitoring.sentUnacknowledged(
                            told, context.settings().time().since(start));
                }
                return operation.unacknowledged();
            }
            Reply reply = answer();
            if (told != null) {
                monitoring.succeeded(told, reply, context.settings().time().since(start));
            }
            told = null;
            checkWriteConcern(reply);
            return operation.result(reply, server, connection.description());
        } catch (MongoException e) {
            labelForOldServer(e);
            failed(e, told, start);
            throw e;
        }
    }

    private Reply answer() {
        Reply reply = connection.receive(deadline);
        context.clock().advance(reply.nested("$clusterTime"));
        session.heard(reply);
        session.serverSessionUsed();
        if (!reply.isOk()) {
            throw ErrorReply.exception(operation.commandName(), reply.document(), connection.address());
        }
        return reply;
    }

    /** A write that was done but not durably enough, if the server says that it should be tried again. */
    private void checkWriteConcern(Reply reply) {
        if (operation.kind() != Operation.Kind.WRITE || !reply.has("writeConcernError")) {
            return;
        }
        BsonDocument document = reply.document();
        var error = MalformedReply.read(
                connection.address(), () -> ErrorReply.ofWriteConcern(document, connection.address()));
        labelForOldServer(error);
        if (error.hasErrorLabel(MongoException.RETRYABLE_WRITE_ERROR_LABEL) || error.isRetryableOverload()) {
            throw error;
        }
        server.failed(connection, error);
    }

    private void labelForOldServer(MongoException e) {
        boolean isOurs =
                operation.kind() == Operation.Kind.WRITE && operation.isRetryable() && !session.inTransaction();
        if (isOurs && context.settings().retryWrites() && OldServers.isOld(connection.description())) {
            OldServers.label(e, connection.description());
        }
    }

    private void failed(MongoException e, Monitoring.@Nullable Attempt told, long start) {
        if (told != null) {
            context.monitoring().failed(told, e, context.settings().time().since(start));
        }
        if (e instanceof MongoSocketException) {
            session.markDirty();
        }
        server.failed(connection, e);
    }
}
