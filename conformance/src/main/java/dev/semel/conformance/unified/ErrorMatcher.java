package dev.semel.conformance.unified;

import dev.semel.conformance.adapter.Failure;
import java.util.Locale;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Compares an operation's error with the one expected. */
final class ErrorMatcher {
    private final ValueMatcher values;

    ErrorMatcher(ValueMatcher values) {
        this.values = values;
    }

    void match(BsonDocument expected, Failure failure) {
        for (Map.Entry<String, BsonValue> each : expected.entrySet()) {
            try {
                match(each.getKey(), each.getValue(), failure);
            } catch (AssertionError e) {
                throw new AssertionError(each.getKey() + ": " + e.getMessage() + " in " + failure, e);
            }
        }
    }

    private void match(String name, BsonValue expected, Failure failure) {
        switch (name) {
            case "isError" -> check(expected.asBoolean().getValue(), true);
            case "isClientError" -> check(expected.asBoolean().getValue(), failure.isClientError());
            case "isTimeoutError" -> check(expected.asBoolean().getValue(), failure.isTimeout());
            case "errorContains" -> {
                String text = expected.asString().getValue();
                if (!failure.message().toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT))) {
                    throw new AssertionError("'" + text + "' is not in the message");
                }
            }
            case "errorCode" -> check(expected.asNumber().intValue(), failure.code());
            case "errorCodeName" -> check(expected.asString().getValue(), failure.codeName());
            case "errorLabelsContain" -> {
                for (BsonValue label : expected.asArray()) {
                    if (!failure.labels().contains(label.asString().getValue())) {
                        throw new AssertionError(
                                "there is no " + label.asString().getValue());
                    }
                }
            }
            case "errorLabelsOmit" -> {
                for (BsonValue label : expected.asArray()) {
                    if (failure.labels().contains(label.asString().getValue())) {
                        throw new AssertionError("there is " + label.asString().getValue());
                    }
                }
            }
            case "expectResult" -> values.match(expected, failure.result());
            case "errorResponse" -> values.match(expected, failure.response());
            case "writeErrors" -> writeErrors(expected.asDocument(), failure);
            case "writeConcernErrors" -> values.match(expected, new BsonArray(failure.writeConcernErrors()));
            default -> throw new IllegalStateException("unknown expectation '" + name + "'");
        }
    }

    private void writeErrors(BsonDocument expected, Failure failure) {
        BsonDocument actual = new BsonDocument();
        failure.writeErrors().forEach((index, error) -> actual.put(String.valueOf(index), error));
        check(expected.keySet(), actual.keySet());
        // Each error is a root-level document: it may have more fields than expected.
        expected.forEach((index, error) -> values.match(error, actual.get(index)));
    }

    private static void check(Object expected, @Nullable Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError("expected " + expected + " but was " + actual);
        }
    }
}
