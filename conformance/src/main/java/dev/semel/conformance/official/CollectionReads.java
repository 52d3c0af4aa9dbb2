package dev.semel.conformance.official;

import static dev.semel.conformance.adapter.Options.option;
import static dev.semel.conformance.adapter.Values.bool;
import static dev.semel.conformance.adapter.Values.number;

import com.mongodb.client.ClientSession;
import com.mongodb.client.DistinctIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.EstimatedDocumentCountOptions;
import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Hints;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The reads of a collection. */
record CollectionReads(
        MongoCollection<BsonDocument> collection, @Nullable ClientSession session) {
    private static final Options<FindIterable<BsonDocument>> FIND = Options.of(
            option("allowDiskUse", (o, v) -> o.allowDiskUse(bool(v))),
            option("batchSize", (o, v) -> o.batchSize(number(v))),
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("cursorType", (o, v) -> o.cursorType(Dialect.cursorType(v))),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("let", (o, v) -> o.let(v.asDocument())),
            option("limit", (o, v) -> o.limit(number(v))),
            option("max", (o, v) -> o.max(v.asDocument())),
            option("maxAwaitTimeMS", (o, v) -> Dialect.millis(o::maxAwaitTime, v)),
            option("maxTimeMS", (o, v) -> Dialect.millis(o::maxTime, v)),
            option("min", (o, v) -> o.min(v.asDocument())),
            option("projection", (o, v) -> o.projection(v.asDocument())),
            option("returnKey", (o, v) -> o.returnKey(bool(v))),
            option("showRecordId", (o, v) -> o.showRecordId(bool(v))),
            option("skip", (o, v) -> o.skip(number(v))),
            option("sort", (o, v) -> o.sort(v.asDocument())),
            option("timeoutMode", (o, v) -> o.timeoutMode(Dialect.timeoutMode(v))));

    private static final Options<CountOptions> COUNT = Options.of(
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("limit", (o, v) -> o.limit(number(v))),
            option("maxTimeMS", (o, v) -> Dialect.millis(o::maxTime, v)),
            option("skip", (o, v) -> o.skip(number(v))));

    private static final Options<EstimatedDocumentCountOptions> ESTIMATE = Options.of(
            option("comment", (o, v) -> o.comment(v)), option("maxTimeMS", (o, v) -> Dialect.millis(o::maxTime, v)));

    private static final Options<DistinctIterable<BsonValue>> DISTINCT = Options.of(
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("maxTimeMS", (o, v) -> Dialect.millis(o::maxTime, v)));

    Driven.Outcome run(String operation, Arguments arguments) {
        return switch (operation) {
            case "find" -> Values.all(find(operation, arguments));
            case "findOne" -> Values.result(find(operation, arguments).first());
            case "createFindCursor" ->
                new Driven.Created(
                        new OpenCursor("findCursor", find(operation, arguments).cursor()));
            case "countDocuments" -> {
                CountOptions options = COUNT.apply(operation, new CountOptions(), arguments, "filter", "timeoutMS");
                BsonDocument filter = arguments.document("filter");
                yield Values.count(
                        session == null
                                ? collection.countDocuments(filter, options)
                                : collection.countDocuments(session, filter, options));
            }
            case "estimatedDocumentCount" ->
                Values.count(collection.estimatedDocumentCount(
                        ESTIMATE.apply(operation, new EstimatedDocumentCountOptions(), arguments, "timeoutMS")));
            case "distinct" -> {
                String field = arguments.string("fieldName");
                BsonDocument filter = arguments.document("filter");
                BsonArray values = new BsonArray();
                DISTINCT.apply(
                                operation,
                                session == null
                                        ? collection.distinct(field, filter, BsonValue.class)
                                        : collection.distinct(session, field, filter, BsonValue.class),
                                arguments,
                                "fieldName",
                                "filter",
                                "timeoutMS")
                        .forEach(values::add);
                yield new Driven.Result(values);
            }
            default -> throw new Unsupported("collection." + operation);
        };
    }

    private FindIterable<BsonDocument> find(String operation, Arguments arguments) {
        BsonDocument filter = arguments.document("filter");
        return FIND.apply(
                operation,
                session == null
                        ? collection.find(filter, BsonDocument.class)
                        : collection.find(session, filter, BsonDocument.class),
                arguments,
                "filter",
                "timeoutMS");
    }
}
