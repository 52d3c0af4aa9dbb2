package dev.semel.conformance.official;

import com.mongodb.MongoCommandException;
import com.mongodb.internal.logging.LogMessage;
import com.mongodb.internal.logging.StructuredLogger;
import dev.semel.conformance.adapter.Listener;
import dev.semel.conformance.adapter.LogEntry;
import java.util.Locale;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The driver's structured log, by the same door that its own tests use. */
final class Logs {
    private Logs() {}

    static void listen(String applicationName, Listener listener) {
        StructuredLogger.addInterceptor(applicationName, message -> listener.log(entry(message)));
    }

    static void forget(String applicationName) {
        StructuredLogger.removeInterceptor(applicationName);
    }

    private static LogEntry entry(LogMessage message) {
        BsonDocument data = new BsonDocument("message", new BsonString(message.getMessageId()));
        for (LogMessage.Entry each : message.getEntries()) {
            if (each.getValue() != null) {
                data.put(each.getName(), value(each.getValue()));
            }
        }
        Throwable failure = message.getException();
        if (failure != null) {
            data.put("failure", new BsonString(String.valueOf(failure.getMessage())));
            data.put(
                    "failureIsRedacted",
                    BsonBoolean.valueOf(failure instanceof MongoCommandException error
                            && !error.getResponse().containsKey("errmsg")));
        }
        String component = message.getComponent().getValue();
        return new LogEntry(message.getLevel().name().toLowerCase(Locale.ROOT), component, data);
    }

    private static BsonValue value(@Nullable Object value) {
        return switch (value) {
            case null -> BsonNull.VALUE;
            case BsonValue bson -> bson;
            case Integer number -> new BsonInt32(number);
            case Long number -> new BsonInt64(number);
            case Double number -> new BsonDouble(number);
            case Boolean truth -> BsonBoolean.valueOf(truth);
            default -> new BsonString(value.toString());
        };
    }
}
