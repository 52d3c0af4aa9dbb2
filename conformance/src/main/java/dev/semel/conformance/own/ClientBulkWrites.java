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
import dev.semel.driver.MongoCluster;
import dev.semel.driver.model.ClientBulkWriteOptions;
import dev.semel.driver.model.ClientBulkWriteResult;
import dev.semel.driver.model.ClientDeleteManyOptions;
import dev.semel.driver.model.ClientDeleteOneOptions;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.model.ClientReplaceOneOptions;
import dev.semel.driver.model.ClientUpdateManyOptions;
import dev.semel.driver.model.ClientUpdateOneOptions;
import dev.semel.driver.setting.MongoNamespace;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code bulkWrite} of a client, over several collections. */
final class ClientBulkWrites {
    private static final Options<ClientBulkWriteOptions> OPTIONS = Options.of(
            option("ordered", (o, v) -> o.ordered(bool(v))),
            option("bypassDocumentValidation", (o, v) -> o.bypassDocumentValidation(bool(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("let", (o, v) -> o.let(v.asDocument())),
            option("verboseResults", (o, v) -> o.verboseResults(bool(v))));

    private static final Options<ClientUpdateOneOptions> UPDATE_ONE = Options.of(
            option("arrayFilters", (o, v) -> o.arrayFilters(Values.documents(v))),
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("upsert", (o, v) -> o.upsert(bool(v))),
            option("sort", (o, v) -> o.sort(v.asDocument())));

    private static final Options<ClientUpdateManyOptions> UPDATE_MANY = Options.of(
            option("arrayFilters", (o, v) -> o.arrayFilters(Values.documents(v))),
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("upsert", (o, v) -> o.upsert(bool(v))));

    private static final Options<ClientReplaceOneOptions> REPLACE = Options.of(
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)),
            option("upsert", (o, v) -> o.upsert(bool(v))),
            option("sort", (o, v) -> o.sort(v.asDocument())));

    private static final Options<ClientDeleteOneOptions> DELETE_ONE = Options.of(
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)));

    private static final Options<ClientDeleteManyOptions> DELETE_MANY = Options.of(
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("hint", (o, v) -> Hints.set(v, o::hint, o::hintString)));

    private ClientBulkWrites() {}

    static Driven.Outcome run(MongoCluster client, @Nullable ClientSession session, Arguments arguments) {
        MongoCluster target = Dialect.bulkWriteTarget(client, arguments);
        ClientBulkWriteOptions options = Dialect.bulkWriteOptions(
                OPTIONS.apply(
                        "clientBulkWrite",
                        ClientBulkWriteOptions.clientBulkWriteOptions(),
                        arguments,
                        "models",
                        "writeConcern",
                        "timeoutMS"),
                arguments);
        List<ClientNamespacedWriteModel> models = Values.documents(arguments.get("models")).stream()
                .map(ClientBulkWrites::model)
                .toList();
        return new Driven.Result(result(
                session == null ? target.bulkWrite(models, options) : target.bulkWrite(session, models, options)));
    }

    private static ClientNamespacedWriteModel model(BsonDocument model) {
        String kind = model.getFirstKey();
        Arguments fields = new Arguments(model.getDocument(kind), null, null);
        MongoNamespace namespace = new MongoNamespace(fields.string("namespace"));
        return switch (kind) {
            case "insertOne" -> {
                Options.none("clientBulkWrite", fields, "namespace", "document");
                yield ClientNamespacedWriteModel.insertOne(namespace, fields.document("document"));
            }
            case "updateOne" -> {
                ClientUpdateOneOptions options = UPDATE_ONE.apply(
                        kind, ClientUpdateOneOptions.clientUpdateOneOptions(), fields, "namespace", "filter", "update");
                BsonValue update = fields.get("update");
                yield update.isArray()
                        ? ClientNamespacedWriteModel.updateOne(
                                namespace, fields.document("filter"), Values.documents(update), options)
                        : ClientNamespacedWriteModel.updateOne(
                                namespace, fields.document("filter"), update.asDocument(), options);
            }
            case "updateMany" -> {
                ClientUpdateManyOptions options = UPDATE_MANY.apply(
                        kind,
                        ClientUpdateManyOptions.clientUpdateManyOptions(),
                        fields,
                        "namespace",
                        "filter",
                        "update");
                BsonValue update = fields.get("update");
                yield update.isArray()
                        ? ClientNamespacedWriteModel.updateMany(
                                namespace, fields.document("filter"), Values.documents(update), options)
                        : ClientNamespacedWriteModel.updateMany(
                                namespace, fields.document("filter"), update.asDocument(), options);
            }
            case "replaceOne" ->
                ClientNamespacedWriteModel.replaceOne(
                        namespace,
                        fields.document("filter"),
                        fields.document("replacement"),
                        REPLACE.apply(
                                kind,
                                ClientReplaceOneOptions.clientReplaceOneOptions(),
                                fields,
                                "namespace",
                                "filter",
                                "replacement"));
            case "deleteOne" ->
                ClientNamespacedWriteModel.deleteOne(
                        namespace,
                        fields.document("filter"),
                        DELETE_ONE.apply(
                                kind, ClientDeleteOneOptions.clientDeleteOneOptions(), fields, "namespace", "filter"));
            case "deleteMany" ->
                ClientNamespacedWriteModel.deleteMany(
                        namespace,
                        fields.document("filter"),
                        DELETE_MANY.apply(
                                kind,
                                ClientDeleteManyOptions.clientDeleteManyOptions(),
                                fields,
                                "namespace",
                                "filter"));
            default -> throw new Unsupported("clientBulkWrite." + kind);
        };
    }

    static BsonDocument result(ClientBulkWriteResult result) {
        if (!result.isAcknowledged()) {
            return Results.unacknowledged();
        }
        BsonDocument document = new BsonDocument("insertedCount", new BsonInt64(result.getInsertedCount()))
                .append("upsertedCount", new BsonInt64(result.getUpsertedCount()))
                .append("matchedCount", new BsonInt64(result.getMatchedCount()))
                .append("modifiedCount", new BsonInt64(result.getModifiedCount()))
                .append("deletedCount", new BsonInt64(result.getDeletedCount()));
        result.getVerboseResults().ifPresent(verbose -> {
            BsonDocument inserts = new BsonDocument();
            verbose.getInsertResults()
                    .forEach((index, each) -> inserts.put(
                            String.valueOf(index), new BsonDocument("insertedId", Dialect.insertedId(each))));
            BsonDocument updates = new BsonDocument();
            verbose.getUpdateResults().forEach((index, each) -> {
                BsonDocument update = new BsonDocument("matchedCount", new BsonInt64(each.getMatchedCount()))
                        .append("modifiedCount", new BsonInt64(each.getModifiedCount()));
                each.getUpsertedId().ifPresent(id -> update.append("upsertedId", id));
                updates.put(String.valueOf(index), update);
            });
            BsonDocument deletes = new BsonDocument();
            verbose.getDeleteResults()
                    .forEach((index, each) -> deletes.put(
                            String.valueOf(index),
                            new BsonDocument("deletedCount", new BsonInt64(each.getDeletedCount()))));
            document.append("insertResults", inserts)
                    .append("updateResults", updates)
                    .append("deleteResults", deletes);
        });
        return document;
    }
}
