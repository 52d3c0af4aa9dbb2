package dev.semel.conformance.official;

import static dev.semel.conformance.adapter.Options.option;
import static dev.semel.conformance.adapter.Values.bool;
import static dev.semel.conformance.adapter.Values.number;

import com.mongodb.client.AggregateIterable;
import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Hints;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Values;
import java.util.List;
import org.bson.BsonDocument;

/** {@code aggregate} of a database or a collection. */
final class Aggregates {
    private static final Options<AggregateIterable<BsonDocument>> OPTIONS = Options.of(
            option("allowDiskUse", (o, v) -> o.allowDiskUse(bool(v))),
            option("batchSize", (o, v) -> o.batchSize(number(v))),
            option("bypassDocumentValidation", (o, v) -> o.bypassDocumentValidation(bool(v))),
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("let", (o, v) -> o.let(v.asDocument())),
            option("maxTimeMS", (o, v) -> Dialect.millis(o::maxTime, v)),
            option("maxAwaitTimeMS", (o, v) -> Dialect.millis(o::maxAwaitTime, v)),
            option("timeoutMode", (o, v) -> o.timeoutMode(Dialect.timeoutMode(v))));

    private Aggregates() {}

    static List<BsonDocument> pipeline(Arguments arguments) {
        var pipeline = arguments.find("pipeline");
        return pipeline == null ? List.of() : Values.documents(pipeline);
    }

    static Driven.Outcome run(AggregateIterable<BsonDocument> aggregate, Arguments arguments) {
        OPTIONS.apply("aggregate", aggregate, arguments, "pipeline", "timeoutMS");
        List<BsonDocument> pipeline = pipeline(arguments);
        if (!pipeline.isEmpty()) {
            String last = pipeline.getLast().keySet().stream().findFirst().orElse("");
            // Reading what was written would be a second command that no case expects.
            if (last.equals("$out") || last.equals("$merge")) {
                aggregate.toCollection();
                return Values.all(List.of());
            }
        }
        return Values.all(aggregate);
    }
}
