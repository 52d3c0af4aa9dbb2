package dev.semel.conformance.own;

import static dev.semel.conformance.adapter.Options.option;
import static dev.semel.conformance.adapter.Values.bool;

import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Hints;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import dev.semel.driver.ClientSession;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.model.FindOneAndDeleteOptions;
import dev.semel.driver.model.FindOneAndReplaceOptions;
import dev.semel.driver.model.FindOneAndUpdateOptions;
import dev.semel.driver.model.ReturnDocument;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The {@code findOneAnd...} family. */
record FindAndModify(
        MongoCollection<BsonDocument> collection, @Nullable ClientSession session) {
    private static final Options<FindOneAndUpdateOptions> UPDATE = Options.of(
            option("arrayFilters", (o, v) -> o.arrayFilters(Values.documents(v))),
            option("bypassDocumentValidation", (o, v) -> o.bypassDocumentValidation(bool(v))),
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("let", (o, v) -> o.let(v.asDocument())),
            option("maxTimeMS", (o, v) -> Dialect.millis(o::maxTime, v)),
            option("projection", (o, v) -> o.projection(v.asDocument())),
            option("returnDocument", (o, v) -> o.returnDocument(returned(v))),
            option("sort", (o, v) -> o.sort(v.asDocument())),
            option("upsert", (o, v) -> o.upsert(bool(v))));

    private static final Options<FindOneAndReplaceOptions> REPLACE = Options.of(
            option("bypassDocumentValidation", (o, v) -> o.bypassDocumentValidation(bool(v))),
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("let", (o, v) -> o.let(v.asDocument())),
            option("maxTimeMS", (o, v) -> Dialect.millis(o::maxTime, v)),
            option("projection", (o, v) -> o.projection(v.asDocument())),
            option("returnDocument", (o, v) -> o.returnDocument(returned(v))),
            option("sort", (o, v) -> o.sort(v.asDocument())),
            option("upsert", (o, v) -> o.upsert(bool(v))));

    private static final Options<FindOneAndDeleteOptions> DELETE = Options.of(
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("let", (o, v) -> o.let(v.asDocument())),
            option("maxTimeMS", (o, v) -> Dialect.millis(o::maxTime, v)),
            option("projection", (o, v) -> o.projection(v.asDocument())),
            option("sort", (o, v) -> o.sort(v.asDocument())));

    private static ReturnDocument returned(BsonValue value) {
        return switch (Values.string(value)) {
            case "Before" -> ReturnDocument.BEFORE;
            case "After" -> ReturnDocument.AFTER;
            default -> throw new Unsupported("returnDocument " + Values.string(value));
        };
    }

    Driven.Outcome run(String operation, Arguments arguments) {
        BsonDocument filter = arguments.document("filter");
        return Values.result(
                switch (operation) {
                    case "findOneAndUpdate" -> update(filter, arguments);
                    case "findOneAndReplace" -> {
                        var options = REPLACE.apply(
                                operation,
                                new FindOneAndReplaceOptions(),
                                arguments,
                                "filter",
                                "replacement",
                                "timeoutMS");
                        BsonDocument replacement = arguments.document("replacement");
                        yield session == null
                                ? collection.findOneAndReplace(filter, replacement, options)
                                : collection.findOneAndReplace(session, filter, replacement, options);
                    }
                    case "findOneAndDelete" -> {
                        var options = DELETE.apply(
                                operation, new FindOneAndDeleteOptions(), arguments, "filter", "timeoutMS");
                        yield session == null
                                ? collection.findOneAndDelete(filter, options)
                                : collection.findOneAndDelete(session, filter, options);
                    }
                    default -> throw new Unsupported("collection." + operation);
                });
    }

    private @Nullable BsonDocument update(BsonDocument filter, Arguments arguments) {
        var options = UPDATE.apply(
                "findOneAndUpdate", new FindOneAndUpdateOptions(), arguments, "filter", "update", "timeoutMS");
        BsonValue update = arguments.get("update");
        if (update.isArray()) {
            List<BsonDocument> pipeline = Values.documents(update);
            return session == null
                    ? collection.findOneAndUpdate(filter, pipeline, options)
                    : collection.findOneAndUpdate(session, filter, pipeline, options);
        }
        BsonDocument change = update.asDocument();
        return session == null
                ? collection.findOneAndUpdate(filter, change, options)
                : collection.findOneAndUpdate(session, filter, change, options);
    }
}
