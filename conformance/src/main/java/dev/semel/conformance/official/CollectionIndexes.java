package dev.semel.conformance.official;

import static dev.semel.conformance.adapter.Options.option;
import static dev.semel.conformance.adapter.Values.string;

import com.mongodb.MongoNamespace;
import com.mongodb.client.ClientSession;
import com.mongodb.client.ListIndexesIterable;
import com.mongodb.client.ListSearchIndexesIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CreateIndexOptions;
import com.mongodb.client.model.DropIndexOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.RenameCollectionOptions;
import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Values;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Indexes, search indexes and renaming. */
record CollectionIndexes(
        MongoCollection<BsonDocument> collection, @Nullable ClientSession session) {
    private static final Options<ListIndexesIterable<BsonDocument>> LIST = Options.of(
            option("batchSize", (o, v) -> o.batchSize(Values.number(v))),
            option("timeoutMode", (o, v) -> o.timeoutMode(Dialect.timeoutMode(v))));

    private static final Options<IndexOptions> INDEX = Options.of(
            option("name", (o, v) -> o.name(string(v))), option("unique", (o, v) -> o.unique(Values.bool(v))));

    private static final Options<DropIndexOptions> DROP =
            Options.of(option("maxTimeMS", (o, v) -> Dialect.millis(o::maxTime, v)));

    private static final Options<RenameCollectionOptions> RENAME =
            Options.of(option("dropTarget", (o, v) -> o.dropTarget(Values.bool(v))));

    Driven.Outcome run(String operation, Arguments arguments) {
        switch (operation) {
            case "createIndex" -> {
                return createIndex(arguments);
            }
            case "listIndexes" -> {
                return Values.all(LIST.apply(
                        operation,
                        session == null
                                ? collection.listIndexes(BsonDocument.class)
                                : collection.listIndexes(session, BsonDocument.class),
                        arguments,
                        "timeoutMS"));
            }
            case "createSearchIndexes" -> {
                return Values.strings(collection.createSearchIndexes(Values.documents(arguments.get("models")).stream()
                        .map(Dialect::searchIndex)
                        .toList()));
            }
            case "createSearchIndex" -> {
                return Values.result(new BsonString(collection
                        .createSearchIndexes(List.of(Dialect.searchIndex(arguments.document("model"))))
                        .getFirst()));
            }
            case "listSearchIndexes" -> {
                return Values.all(listSearchIndexes(arguments));
            }
            case "updateSearchIndex" ->
                collection.updateSearchIndex(arguments.string("name"), arguments.document("definition"));
            case "dropSearchIndex" -> collection.dropSearchIndex(arguments.string("name"));
            case "dropIndex" -> dropIndex(arguments);
            case "dropIndexes" -> dropIndexes(arguments);
            case "rename" -> rename(arguments);
            default -> {
                return Dialect.other(operation, collection, session, arguments);
            }
        }
        return Driven.Outcome.NONE;
    }

    private Driven.Outcome createIndex(Arguments arguments) {
        IndexOptions options =
                INDEX.apply("createIndex", new IndexOptions(), arguments, "keys", "maxTimeMS", "timeoutMS");
        CreateIndexOptions creation = new CreateIndexOptions();
        BsonValue maxTime = arguments.find("maxTimeMS");
        if (maxTime != null) {
            Dialect.millis(creation::maxTime, maxTime);
        }
        List<IndexModel> models = List.of(new IndexModel(arguments.document("keys"), options));
        List<String> names = session == null
                ? collection.createIndexes(models, creation)
                : collection.createIndexes(session, models, creation);
        return Values.result(new BsonString(names.getFirst()));
    }

    private ListSearchIndexesIterable<BsonDocument> listSearchIndexes(Arguments arguments) {
        ListSearchIndexesIterable<BsonDocument> indexes = collection.listSearchIndexes(BsonDocument.class);
        BsonValue name = arguments.find("name");
        if (name != null) {
            indexes.name(string(name));
        }
        BsonValue options = arguments.find("aggregationOptions");
        if (options != null) {
            indexes.batchSize(options.asDocument().getNumber("batchSize").intValue());
        }
        return indexes;
    }

    private void dropIndex(Arguments arguments) {
        DropIndexOptions options = DROP.apply("dropIndex", new DropIndexOptions(), arguments, "name", "timeoutMS");
        String name = arguments.string("name");
        if (session == null) {
            collection.dropIndex(name, options);
        } else {
            collection.dropIndex(session, name, options);
        }
    }

    private void dropIndexes(Arguments arguments) {
        DropIndexOptions options = DROP.apply("dropIndexes", new DropIndexOptions(), arguments, "timeoutMS");
        if (session == null) {
            collection.dropIndexes(options);
        } else {
            collection.dropIndexes(session, options);
        }
    }

    private void rename(Arguments arguments) {
        RenameCollectionOptions options =
                RENAME.apply("rename", new RenameCollectionOptions(), arguments, "to", "timeoutMS");
        MongoNamespace to = new MongoNamespace(collection.getNamespace().getDatabaseName(), arguments.string("to"));
        if (session == null) {
            collection.renameCollection(to, options);
        } else {
            collection.renameCollection(session, to, options);
        }
    }
}
