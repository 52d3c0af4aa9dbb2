package dev.semel.conformance.unified;

import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.DrivenSession;
import dev.semel.conformance.adapter.Driver;
import dev.semel.conformance.adapter.Failure;
import dev.semel.conformance.adapter.Unsupported;
import java.util.HexFormat;
import java.util.Set;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Runs operations and compares what they give. */
final class Operations {
    private static final Set<String> FIELDS = Set.of(
            "name", "object", "arguments", "ignoreResultAndError", "expectError", "expectResult", "saveResultAsEntity");

    private final Driver driver;
    private final Entities entities;
    private final RunnerOperations runner;
    private final ValueMatcher values;
    private final ErrorMatcher errors;

    Operations(Driver driver, Entities entities, RunnerOperations runner, ValueMatcher values) {
        this.driver = driver;
        this.entities = entities;
        this.runner = runner;
        this.values = values;
        errors = new ErrorMatcher(values);
    }

    void run(Iterable<? extends BsonValue> operations) throws InterruptedException {
        for (BsonValue each : operations) {
            run(each.asDocument());
        }
    }

    void run(BsonDocument operation) throws InterruptedException {
        RuntimeException thrown = attempt(operation);
        if (thrown != null) {
            Failure failure = driver.describe(thrown);
            if (failure == null || (isJudged(operation) && !operation.containsKey("expectError"))) {
                throw thrown;
            }
        }
    }

    /** Runs an operation and judges it; gives the error that it ended with, if that was allowed. */
    private @Nullable RuntimeException attempt(BsonDocument operation) throws InterruptedException {
        check(operation);
        String object = operation.getString("object").getValue();
        String name = operation.getString("name").getValue();
        BsonDocument given = operation.getDocument("arguments", new BsonDocument());
        if (object.equals("testRunner")) {
            runner.run(this, name, given);
            return null;
        }
        Driven entity = entities.driven(object);
        boolean isJudged = isJudged(operation);
        Driven.Outcome outcome;
        try {
            outcome = entity.run(name, arguments(name, given));
        } catch (RuntimeException e) {
            return failed(operation, e, isJudged, name);
        }
        if (isJudged) {
            succeeded(operation, outcome, name);
        }
        return null;
    }

    private @Nullable RuntimeException failed(
            BsonDocument operation, RuntimeException thrown, boolean isJudged, String name) {
        Failure failure = driver.describe(thrown);
        if (failure == null) {
            throw thrown;
        }
        if (!isJudged) {
            return thrown;
        }
        if (!operation.containsKey("expectError")) {
            throw thrown;
        }
        try {
            errors.match(operation.getDocument("expectError"), failure);
        } catch (AssertionError e) {
            throw new AssertionError(name + " failed otherwise than expected: " + e.getMessage(), thrown);
        }
        return thrown;
    }

    private void succeeded(BsonDocument operation, Driven.Outcome outcome, String name) {
        if (operation.containsKey("expectError")) {
            throw new AssertionError(name + " succeeded; expected the error "
                    + operation.getDocument("expectError").toJson());
        }
        BsonString saved = operation.getString("saveResultAsEntity", null);
        switch (outcome) {
            case Driven.Created(Driven entity) -> {
                if (saved == null) {
                    close(entity);
                } else {
                    entities.put(saved.getValue(), entity);
                }
            }
            case Driven.Result(BsonValue value) -> {
                BsonValue expected = operation.get("expectResult");
                if (expected != null) {
                    try {
                        values.match(expected, isUnset(expected, value) ? null : value);
                    } catch (AssertionError e) {
                        throw new AssertionError("the result of " + name + ": " + e.getMessage(), e);
                    }
                }
                if (saved != null) {
                    entities.put(saved.getValue(), value);
                }
            }
        }
    }

    /** What an operation without a result gives counts as missing where the data asks whether there is one. */
    private static boolean isUnset(BsonValue expected, BsonValue value) {
        return expected.isDocument()
                && expected.asDocument().containsKey("$$unsetOrMatches")
                && (value.isNull() || (value.isDocument() && value.asDocument().containsKey("acknowledged")));
    }

    private static void close(Driven entity) {
        try {
            entity.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isJudged(BsonDocument operation) {
        return !operation.getBoolean("ignoreResultAndError", BsonBoolean.FALSE).getValue();
    }

    private static void check(BsonDocument operation) {
        for (String field : operation.keySet()) {
            if (!FIELDS.contains(field)) {
                throw new IllegalStateException("an operation cannot have '" + field + "'");
            }
        }
        boolean isIgnored = !isJudged(operation);
        boolean hasResult = operation.containsKey("expectResult") || operation.containsKey("saveResultAsEntity");
        if ((isIgnored && (hasResult || operation.containsKey("expectError")))
                || (hasResult && operation.containsKey("expectError"))) {
            throw new IllegalStateException("an operation's expectations contradict each other: " + operation.toJson());
        }
    }

    // ---- arguments

    private Arguments arguments(String name, BsonDocument given) {
        BsonDocument plain = given.clone();
        if (!runner.takesRawData()) {
            plain.remove("rawData");
        }
        BsonValue sessionId = plain.remove("session");
        DrivenSession session =
                sessionId == null ? null : entities.session(sessionId.asString().getValue());
        BsonValue callback = plain.remove("callback");
        Runnable run = callback == null ? null : () -> callBack(callback.asArray());
        BsonValue source = plain.get("source");
        if (source != null && name.equals("upload")) {
            String hex = source.asDocument().getString("$$hexBytes").getValue();
            plain.put("source", new BsonBinary(HexFormat.of().parseHex(hex)));
        }
        return new Arguments(plain, session, run);
    }

    /** An expected error is rethrown to the code that runs the callback, which decides whether to try again. */
    private void callBack(Iterable<? extends BsonValue> operations) {
        for (BsonValue each : operations) {
            RuntimeException thrown;
            try {
                thrown = attempt(each.asDocument());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
            if (thrown != null) {
                throw thrown;
            }
        }
    }

    static Unsupported unknown(String name) {
        return new Unsupported("testRunner." + name);
    }
}
