package dev.semel.conformance.unified;

import java.util.concurrent.CancellationException;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Runs operations again and again until the thread is interrupted, or for as many iterations as {@code numIterations}
 * says; counts successes, keeps errors and failures for later instead of ending, as the case wants it.
 */
final class Loop {
    private final Entities entities;
    private final Operations operations;

    Loop(Entities entities, Operations operations) {
        this.entities = entities;
        this.operations = operations;
    }

    void run(BsonDocument arguments) {
        long limit = arguments.containsKey("numIterations")
                ? arguments.getNumber("numIterations").longValue()
                : Long.MAX_VALUE;
        long successes = 0;
        long iterations = 0;
        while (iterations < limit && !Thread.currentThread().isInterrupted()) {
            try {
                for (BsonValue each : arguments.getArray("operations")) {
                    operations.run(each.asDocument());
                    successes++;
                }
                iterations++;
            } catch (AssertionError e) {
                iterations++;
                keep(arguments, e, "storeFailuresAsEntity", "storeErrorsAsEntity");
            } catch (InterruptedException | CancellationException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                iterations++;
                keep(arguments, e, "storeErrorsAsEntity", "storeFailuresAsEntity");
            }
        }
        count(arguments, "storeSuccessesAsEntity", successes);
        count(arguments, "storeIterationsAsEntity", iterations);
    }

    private void keep(BsonDocument arguments, Throwable error, String first, String second) {
        BsonString name = arguments.getString(first, arguments.getString(second, null));
        if (name == null) {
            switch (error) {
                case AssertionError failure -> throw failure;
                case RuntimeException failure -> throw failure;
                default -> throw new IllegalStateException(error);
            }
        }
        entities.append(
                name.getValue(),
                new BsonDocument("error", new BsonString(String.valueOf(error.getMessage())))
                        .append("time", new BsonDouble(System.currentTimeMillis() / 1000.0)));
    }

    private void count(BsonDocument arguments, String argument, long value) {
        if (arguments.containsKey(argument)) {
            entities.replace(arguments.getString(argument).getValue(), new BsonInt64(value));
        }
    }
}
