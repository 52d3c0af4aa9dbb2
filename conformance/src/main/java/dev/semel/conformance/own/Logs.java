package dev.semel.conformance.own;

import dev.semel.conformance.adapter.Listener;
import dev.semel.conformance.adapter.LogEntry;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.logging.LogMessage;
import dev.semel.driver.logging.LoggerSettings;
import java.util.Locale;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The driver's structured log. */
final class Logs {
    /** As the runner's own expectation of a message without a limit. */
    private static final int LENGTH_MAX = 10_000;

    private Logs() {}

    static LoggerSettings settings(Listener listener) {
        return LoggerSettings.DEFAULT
                .withLevel(System.Logger.Level.DEBUG)
                .withMaxDocumentLength(LENGTH_MAX)
                .withListener(message -> listener.log(entry(message)));
    }

    private static LogEntry entry(LogMessage message) {
        BsonDocument data = new BsonDocument("message", new BsonString(message.text()));
        message.fields().forEach((name, value) -> data.put(name, value(value)));
        if (message.failure() instanceof MongoCommandException error) {
            data.put(
                    "failureIsRedacted",
                    BsonBoolean.valueOf(!error.getResponse().containsKey("errmsg")));
        }
        return new LogEntry(
                message.level().name().toLowerCase(Locale.ROOT),
                message.component().label(),
                data);
    }

    private static BsonValue value(Object value) {
        return switch (value) {
            case Integer number -> new BsonInt32(number);
            case Long number -> new BsonInt64(number);
            case Double number -> new BsonDouble(number);
            case Boolean truth -> BsonBoolean.valueOf(truth);
            default -> new BsonString(value.toString());
        };
    }
}
