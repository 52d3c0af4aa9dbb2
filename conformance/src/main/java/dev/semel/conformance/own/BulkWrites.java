package dev.semel.conformance.own;

import static dev.semel.conformance.adapter.Options.option;
import static dev.semel.conformance.adapter.Values.bool;

import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import dev.semel.driver.ClientSession;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.model.BulkWriteOptions;
import dev.semel.driver.model.DeleteManyModel;
import dev.semel.driver.model.DeleteOneModel;
import dev.semel.driver.model.DeleteOptions;
import dev.semel.driver.model.InsertOneModel;
import dev.semel.driver.model.ReplaceOneModel;
import dev.semel.driver.model.ReplaceOptions;
import dev.semel.driver.model.UpdateManyModel;
import dev.semel.driver.model.UpdateOneModel;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.model.WriteModel;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code bulkWrite} of a collection. */
final class BulkWrites {
    private static final Options<BulkWriteOptions> OPTIONS = Options.of(
            option("bypassDocumentValidation", (o, v) -> o.bypassDocumentValidation(bool(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("let", (o, v) -> o.let(v.asDocument())),
            option("ordered", (o, v) -> o.ordered(bool(v))));

    private BulkWrites() {}

    static Driven.Outcome run(
            MongoCollection<BsonDocument> collection, @Nullable ClientSession session, Arguments arguments) {
        BulkWriteOptions options =
                OPTIONS.apply("bulkWrite", new BulkWriteOptions(), arguments, "requests", "timeoutMS");
        List<? extends WriteModel<BsonDocument>> models = Values.documents(arguments.get("requests")).stream()
                .map(BulkWrites::model)
                .toList();
        return new Driven.Result(Results.bulk(
                session == null
                        ? collection.bulkWrite(models, options)
                        : collection.bulkWrite(session, models, options)));
    }

    private static WriteModel<BsonDocument> model(BsonDocument request) {
        String kind = request.getFirstKey();
        Arguments fields = new Arguments(request.getDocument(kind), null, null);
        return switch (kind) {
            case "insertOne" -> new InsertOneModel<>(fields.document("document").clone());
            case "updateOne" -> {
                UpdateOptions options =
                        CollectionWrites.UPDATE.apply(kind, new UpdateOptions(), fields, "filter", "update");
                BsonValue update = fields.get("update");
                yield update.isArray()
                        ? new UpdateOneModel<>(fields.document("filter"), Values.documents(update), options)
                        : new UpdateOneModel<>(fields.document("filter"), update.asDocument(), options);
            }
            case "updateMany" -> {
                UpdateOptions options =
                        CollectionWrites.UPDATE.apply(kind, new UpdateOptions(), fields, "filter", "update");
                BsonValue update = fields.get("update");
                yield update.isArray()
                        ? new UpdateManyModel<>(fields.document("filter"), Values.documents(update), options)
                        : new UpdateManyModel<>(fields.document("filter"), update.asDocument(), options);
            }
            case "replaceOne" ->
                new ReplaceOneModel<>(
                        fields.document("filter"),
                        fields.document("replacement"),
                        CollectionWrites.REPLACE.apply(kind, new ReplaceOptions(), fields, "filter", "replacement"));
            case "deleteOne" ->
                new DeleteOneModel<>(
                        fields.document("filter"),
                        CollectionWrites.DELETE.apply(kind, new DeleteOptions(), fields, "filter"));
            case "deleteMany" ->
                new DeleteManyModel<>(
                        fields.document("filter"),
                        CollectionWrites.DELETE.apply(kind, new DeleteOptions(), fields, "filter"));
            default -> throw new Unsupported("bulkWrite." + kind);
        };
    }
}
