package dev.semel.conformance.own;

import dev.semel.conformance.adapter.Listener;
import dev.semel.conformance.adapter.LogEntry;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.logging.LogMessage;
import dev.semel.driver.logging.LoggerSettings;
import java.lang.System.Logger.Level;
import java.util.Locale;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The driver's log messages in the words of the format. */
final class Logs {
    /** The default cuts off what cases compare. */
    private static final int LOGGED_LENGTH = 10_000;

    private Logs() {}

    static LoggerSettings settings(Listener listener) {
        return LoggerSettings.DEFAULT
                .withLevel(Level.TRACE)
                .withMaxDocumentLength(LOGGED_LENGTH)
                .withListener(message -> listener.log(entry(message)));
    }

    private static LogEntry entry(LogMessage message) {
        BsonDocument data = new BsonDocument("message", new BsonString(message.text()));
        message.fields().forEach((name, value) -> data.put(name, value(value)));
        Throwable failure = message.failure();
        if (failure != null) {
            data.put("failure", new BsonString(String.valueOf(failure.getMessage())));
            data.put(
                    "failureIsRedacted",
                    BsonBoolean.valueOf(failure instanceof MongoCommandException error
                            && !error.getResponse().containsKey("errmsg")));
        }
        String level = message.level().name().toLowerCase(Locale.ROOT);
        return new LogEntry(level, message.component().label(), data);
    }

    private static BsonValue value(Object value) {
        return switch (value) {
            case BsonValue bson -> bson;
            case Integer number -> new BsonInt32(number);
            case Long number -> new BsonInt64(number);
            case Double number -> new BsonDouble(number);
            case Boolean truth -> BsonBoolean.valueOf(truth);
            default -> new BsonString(value.toString());
        };
    }
}
