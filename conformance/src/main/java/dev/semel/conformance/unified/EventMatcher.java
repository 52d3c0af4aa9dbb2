package dev.semel.conformance.unified;

import dev.semel.conformance.adapter.Event;
import java.util.List;
import java.util.Map;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Compares events with those expected. */
final class EventMatcher {
    private final ValueMatcher values;

    EventMatcher(ValueMatcher values) {
        this.values = values;
    }

    /** The expectation about one client, as the data has it. */
    void match(BsonDocument expectation, ClientEntity client) {
        String type =
                expectation.getString("eventType", new BsonString("command")).getValue();
        List<Event> actual = client.events(type);
        List<BsonDocument> expected = expectation.getArray("events").stream()
                .map(BsonValue::asDocument)
                .toList();
        boolean mayBeMore =
                expectation.getBoolean("ignoreExtraEvents", BsonBoolean.FALSE).getValue();
        if (actual.size() < expected.size() || (actual.size() > expected.size() && !mayBeMore)) {
            throw new AssertionError("expected " + expected.size() + " " + type + " events, but there were "
                    + actual.size() + ":" + print(actual));
        }
        for (int i = 0; i < expected.size(); i++) {
            try {
                match(expected.get(i), actual.get(i));
            } catch (AssertionError e) {
                throw new AssertionError(
                        "event " + (i + 1) + " of " + expected.size() + ": " + e.getMessage() + "; all:"
                                + print(actual),
                        e);
            }
        }
    }

    private static String print(List<Event> events) {
        StringBuilder text = new StringBuilder();
        for (Event each : events) {
            text.append("\n  ")
                    .append(each.name())
                    .append(' ')
                    .append(each.fields().toJson());
        }
        return text.toString();
    }

    boolean matches(BsonDocument expected, Event actual) {
        try {
            match(expected, actual);
            return true;
        } catch (AssertionError e) {
            return false;
        }
    }

    private void match(BsonDocument expected, Event actual) {
        String name = expected.getFirstKey();
        if (!name.equals(actual.name())) {
            throw new AssertionError("expected " + expected.toJson() + ", but it was " + actual.name() + " "
                    + actual.fields().toJson());
        }
        for (Map.Entry<String, BsonValue> each : expected.getDocument(name).entrySet()) {
            BsonValue found = actual.fields().get(each.getKey());
            if (found == null && !(each.getValue() instanceof BsonDocument)) {
                throw new AssertionError(name + " has no field '" + each.getKey() + "'");
            }
            values.match(each.getValue(), found);
        }
    }
}
