package dev.semel.conformance.unified;

import dev.semel.conformance.adapter.LogEntry;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Compares log messages with those expected. */
final class LogMatcher {
    private final ValueMatcher values;

    LogMatcher(ValueMatcher values) {
        this.values = values;
    }

    /** The expectation about one client, as the data has it. */
    void match(BsonDocument expectation, ClientEntity client) {
        List<BsonDocument> ignored = documents(expectation.getArray("ignoreMessages", new BsonArray()));
        List<LogEntry> actual = client.logs().stream()
                .filter(each -> ignored.stream().noneMatch(expected -> matches(expected, each)))
                .toList();
        List<BsonDocument> expected = documents(expectation.getArray("messages"));
        boolean mayBeMore =
                expectation.getBoolean("ignoreExtraMessages", BsonBoolean.FALSE).getValue();
        if (actual.size() < expected.size() || (actual.size() > expected.size() && !mayBeMore)) {
            throw new AssertionError("expected " + expected.size() + " log messages, but there were " + actual.size()
                    + ":" + print(actual));
        }
        for (int i = 0; i < expected.size(); i++) {
            try {
                match(expected.get(i), actual.get(i));
            } catch (AssertionError e) {
                throw new AssertionError(
                        "log message " + (i + 1) + ": " + e.getMessage() + "; all:" + print(actual), e);
            }
        }
    }

    private static List<BsonDocument> documents(BsonArray array) {
        return array.stream().map(BsonValue::asDocument).toList();
    }

    private static String print(List<LogEntry> entries) {
        StringBuilder text = new StringBuilder();
        entries.forEach(each -> text.append("\n  ").append(each));
        return text.toString();
    }

    private boolean matches(BsonDocument expected, LogEntry actual) {
        try {
            match(expected, actual);
            return true;
        } catch (AssertionError e) {
            return false;
        }
    }

    private void match(BsonDocument expected, LogEntry actual) {
        values.match(expected.getString("level"), new BsonString(actual.level()));
        values.match(expected.getString("component"), new BsonString(actual.component()));
        values.match(expected.getDocument("data"), actual.data());
        if (expected.containsKey("failureIsRedacted")) {
            if (!actual.data().containsKey("failure")) {
                throw new AssertionError("the message has no failure");
            }
            values.match(expected.get("failureIsRedacted"), actual.data().get("failureIsRedacted"));
        }
    }
}
