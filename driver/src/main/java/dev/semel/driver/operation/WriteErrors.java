package dev.semel.driver.operation;

import dev.semel.driver.connection.MalformedReply;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.error.MongoServerException;
import dev.semel.driver.error.MongoWriteException;
import dev.semel.driver.setting.ServerAddress;
import org.bson.BsonDocument;

/** Errors inside an answer whose ok is 1. */
final class WriteErrors {
    private WriteErrors() {}

    /** For a command with a single statement. */
    static void check(Reply reply) {
        if (!reply.has("writeErrors") && !reply.has("writeConcernError")) {
            return;
        }
        throw MalformedReply.read(reply.address(), () -> exception(reply.document(), reply.address()));
    }

    private static MongoServerException exception(BsonDocument reply, ServerAddress from) {
        if (!reply.containsKey("writeErrors")) {
            return ErrorReply.ofWriteConcern(reply, from);
        }
        BsonDocument first = reply.getArray("writeErrors").get(0).asDocument();
        MongoServerException exception = MongoWriteException.of(ErrorReply.writeError(first), from);
        ErrorReply.addLabels(reply, exception);
        return exception;
    }
}
