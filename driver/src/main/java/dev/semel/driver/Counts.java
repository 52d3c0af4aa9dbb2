package dev.semel.driver;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.model.CountOptions;
import dev.semel.driver.model.EstimatedDocumentCountOptions;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Exact and estimated counts. */
record Counts(Scope scope, MongoNamespace namespace) {
    long exact(@Nullable ClientSession session, Bson filter, CountOptions options) {
        var operation = CommandOperation.read(
                        "aggregate",
                        namespace.databaseName(),
                        scope.readPreference(),
                        scope.readConcern(),
                        scope.codecs(),
                        fields -> write(fields, filter, options),
                        (reply, server) -> counted(CursorPage.of(reply, server)))
                .withMaxTime(options.getMaxTime());
        return scope.run(operation, session);
    }

    private void write(Fields fields, Bson filter, CountOptions options) {
        var writer = fields.writer();
        fields.put("aggregate", namespace.collectionName());
        writer.writeStartArray("pipeline");
        writer.writeStartDocument();
        fields.putBson("$match", filter);
        writer.writeEndDocument();
        stage(fields, "$skip", options.getSkip());
        stage(fields, "$limit", options.getLimit());
        writer.writeStartDocument();
        writer.writeStartDocument("$group");
        fields.put("_id", 1);
        writer.writeStartDocument("n");
        fields.put("$sum", 1);
        writer.writeEndDocument();
        writer.writeEndDocument();
        writer.writeEndDocument();
        writer.writeEndArray();
        writer.writeStartDocument("cursor");
        writer.writeEndDocument();
        fields.putBson("collation", options.getCollation())
                .putHint(options.getHint(), options.getHintString())
                .put("comment", options.getComment())
                .putBson("let", options.getLet());
    }

    private static void stage(Fields fields, String name, int number) {
        if (number > 0) {
            fields.writer().writeStartDocument();
            fields.put(name, number);
            fields.writer().writeEndDocument();
        }
    }

    private static long counted(CursorPage page) {
        ElementCursor documents = page.documents().cursor();
        return documents.next() && documents.value() instanceof Value.Doc(RawDocument only)
                ? Reply.number(only.get("n"), 0)
                : 0;
    }

    long estimated(EstimatedDocumentCountOptions options) {
        var operation = CommandOperation.read(
                        "count",
                        namespace.databaseName(),
                        scope.readPreference(),
                        scope.readConcern(),
                        scope.codecs(),
                        fields ->
                                fields.put("count", namespace.collectionName()).put("comment", options.getComment()),
                        (reply, server) -> reply.number("n", 0))
                .withMaxTime(options.getMaxTime());
        try {
            return scope.run(operation, null);
        } catch (MongoCommandException e) {
            if (NamespaceErrors.isNotFound(e)) {
                return 0;
            }
            throw e;
        }
    }
}
