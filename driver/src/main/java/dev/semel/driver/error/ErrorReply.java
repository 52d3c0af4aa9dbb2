package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Converts error replies of servers into exceptions. */
public final class ErrorReply {
    private static final int NO_CODE = -1;

    private ErrorReply() {}

    /** For an answer whose ok is not 1. */
    public static MongoCommandException exception(BsonDocument reply, ServerAddress address) {
        return exception("", reply, address);
    }

    /** The same for an answer to this command. */
    public static MongoCommandException exception(String command, BsonDocument reply, ServerAddress address) {
        int code = number(reply, NO_CODE);
        String name = string(reply, "codeName");
        String message = string(reply, "errmsg");
        var exception = switch (StateChange.of(reply)) {
            case NOT_PRIMARY -> new MongoNotPrimaryException(code, name, message, reply, address);
            case RECOVERING, SHUTTING_DOWN -> new MongoNodeIsRecoveringException(code, name, message, reply, address);
            case NONE ->
                switch (code) {
                    case 50 -> new MongoExecutionTimeoutException(code, name, message, reply, address);
                    case 43 -> new MongoCursorNotFoundException(code, name, message, reply, address);
                    default ->
                        command.equals("find") || command.equals("getMore")
                                ? new MongoQueryException(code, name, message, reply, address)
                                : new MongoCommandException(code, name, message, reply, address);
                };
        };
        addLabels(reply, exception);
        return exception;
    }

    public static void addLabels(BsonDocument reply, MongoException exception) {
        if (reply.get("errorLabels") instanceof BsonArray labels) {
            for (BsonValue each : labels) {
                if (each instanceof BsonString label) {
                    exception.addLabel(label.getValue());
                }
            }
        }
    }

    public static WriteConcernError writeConcernError(BsonDocument error) {
        return new WriteConcernError(
                number(error, 0),
                string(error, "codeName"),
                string(error, "errmsg"),
                error.isDocument("errInfo") ? error.getDocument("errInfo") : new BsonDocument());
    }

    /** For an answer with a {@code writeConcernError}. */
    public static MongoWriteConcernException ofWriteConcern(BsonDocument reply, ServerAddress address) {
        var exception = new MongoWriteConcernException(
                writeConcernError(reply.getDocument("writeConcernError")), reply, address);
        addLabels(reply, exception);
        return exception;
    }

    public static WriteError writeError(BsonDocument error) {
        return new WriteError(
                number(error, 0),
                string(error, "errmsg"),
                error.isDocument("errInfo") ? error.getDocument("errInfo") : new BsonDocument());
    }

    private static int number(BsonDocument error, int otherwise) {
        return error.isNumber("code") ? error.getNumber("code").intValue() : otherwise;
    }

    private static String string(BsonDocument document, String name) {
        return document.get(name) instanceof BsonString string ? string.getValue() : "";
    }
}
