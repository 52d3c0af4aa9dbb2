package dev.semel.conformance.official;

import static dev.semel.conformance.adapter.Options.option;
import static dev.semel.conformance.adapter.Values.bool;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneOptions;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Hints;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The writes of a collection, one at a time. */
record CollectionWrites(
        MongoCollection<BsonDocument> collection, @Nullable ClientSession session) {
    private static final Options<InsertOneOptions> INSERT_ONE = Options.of(
            option("bypassDocumentValidation", (o, v) -> o.bypassDocumentValidation(bool(v))),
            option("comment", (o, v) -> o.comment(v)));

    private static final Options<InsertManyOptions> INSERT_MANY = Options.of(
            option("bypassDocumentValidation", (o, v) -> o.bypassDocumentValidation(bool(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("ordered", (o, v) -> o.ordered(bool(v))));

    static final Options<UpdateOptions> UPDATE = Options.of(
            option("arrayFilters", (o, v) -> o.arrayFilters(Values.documents(v))),
            option("bypassDocumentValidation", (o, v) -> o.bypassDocumentValidation(bool(v))),
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("let", (o, v) -> o.let(v.asDocument())),
            option("sort", (o, v) -> o.sort(v.asDocument())),
            option("upsert", (o, v) -> o.upsert(bool(v))));

    static final Options<ReplaceOptions> REPLACE = Options.of(
            option("bypassDocumentValidation", (o, v) -> o.bypassDocumentValidation(bool(v))),
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("let", (o, v) -> o.let(v.asDocument())),
            option("sort", (o, v) -> o.sort(v.asDocument())),
            option("upsert", (o, v) -> o.upsert(bool(v))));

    static final Options<DeleteOptions> DELETE = Options.of(
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("let", (o, v) -> o.let(v.asDocument())));

    Driven.Outcome run(String operation, Arguments arguments) {
        return new Driven.Result(
                switch (operation) {
                    case "insertOne" -> insertOne(arguments);
                    case "insertMany" -> insertMany(arguments);
                    case "updateOne", "updateMany" -> Results.update(update(operation, arguments));
                    case "replaceOne" -> replaceOne(arguments);
                    case "deleteOne" -> delete(operation, arguments);
                    case "deleteMany" -> delete(operation, arguments);
                    default -> throw new Unsupported("collection." + operation);
                });
    }

    private BsonDocument insertOne(Arguments arguments) {
        InsertOneOptions options =
                INSERT_ONE.apply("insertOne", new InsertOneOptions(), arguments, "document", "timeoutMS");
        // The driver adds an _id to what it is given, and the case's own document must stay as it is.
        BsonDocument document = arguments.document("document").clone();
        return Results.insert(
                session == null
                        ? collection.insertOne(document, options)
                        : collection.insertOne(session, document, options));
    }

    private BsonDocument insertMany(Arguments arguments) {
        InsertManyOptions options =
                INSERT_MANY.apply("insertMany", new InsertManyOptions(), arguments, "documents", "timeoutMS");
        List<BsonDocument> documents = Values.documents(arguments.get("documents")).stream()
                .map(BsonDocument::clone)
                .toList();
        return Results.insertMany(
                session == null
                        ? collection.insertMany(documents, options)
                        : collection.insertMany(session, documents, options));
    }

    private UpdateResult update(String operation, Arguments arguments) {
        UpdateOptions options =
                UPDATE.apply(operation, new UpdateOptions(), arguments, "filter", "update", "timeoutMS");
        BsonDocument filter = arguments.document("filter");
        BsonValue update = arguments.get("update");
        boolean isOne = operation.equals("updateOne");
        if (update.isArray()) {
            List<BsonDocument> pipeline = Values.documents(update);
            if (session == null) {
                return isOne
                        ? collection.updateOne(filter, pipeline, options)
                        : collection.updateMany(filter, pipeline, options);
            }
            return isOne
                    ? collection.updateOne(session, filter, pipeline, options)
                    : collection.updateMany(session, filter, pipeline, options);
        }
        BsonDocument change = update.asDocument();
        if (session == null) {
            return isOne
                    ? collection.updateOne(filter, change, options)
                    : collection.updateMany(filter, change, options);
        }
        return isOne
                ? collection.updateOne(session, filter, change, options)
                : collection.updateMany(session, filter, change, options);
    }

    private BsonDocument replaceOne(Arguments arguments) {
        ReplaceOptions options =
                REPLACE.apply("replaceOne", new ReplaceOptions(), arguments, "filter", "replacement", "timeoutMS");
        BsonDocument filter = arguments.document("filter");
        BsonDocument replacement = arguments.document("replacement");
        return Results.update(
                session == null
                        ? collection.replaceOne(filter, replacement, options)
                        : collection.replaceOne(session, filter, replacement, options));
    }

    private BsonDocument delete(String operation, Arguments arguments) {
        DeleteOptions options = DELETE.apply(operation, new DeleteOptions(), arguments, "filter", "timeoutMS");
        BsonDocument filter = arguments.document("filter");
        if (operation.equals("deleteOne")) {
            return Results.delete(
                    session == null
                            ? collection.deleteOne(filter, options)
                            : collection.deleteOne(session, filter, options));
        }
        return Results.delete(
                session == null
                        ? collection.deleteMany(filter, options)
                        : collection.deleteMany(session, filter, options));
    }
}
