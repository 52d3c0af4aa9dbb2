package dev.semel.driver.operation;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.error.MongoServerException;
import dev.semel.driver.error.MongoWriteConcernException;
import dev.semel.driver.error.MongoWriteException;
import org.bson.BsonDocument;

/** Errors inside an answer whose ok is 1. */
final class WriteErrors {
    private WriteErrors() {}

    /** For a command with a single statement. */
    static void check(Reply reply) {
        if (!reply.has("writeErrors") && !reply.has("writeConcernError")) {
            return;
        }
        BsonDocument document = reply.document();
        MongoServerException exception;
        if (document.isArray("writeErrors")) {
            BsonDocument first = document.getArray("writeErrors").get(0).asDocument();
            exception = MongoWriteException.of(ErrorReply.writeError(first), reply.address());
        } else {
            exception = new MongoWriteConcernException(
                    ErrorReply.writeConcernError(document.getDocument("writeConcernError")), document, reply.address());
        }
        ErrorReply.addLabels(document, exception);
        throw exception;
    }
}
