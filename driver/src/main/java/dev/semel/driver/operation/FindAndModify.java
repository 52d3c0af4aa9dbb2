package dev.semel.driver.operation;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.connection.SizeLimit;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.execution.Operation;
import dev.semel.driver.model.FindOneAndDeleteOptions;
import dev.semel.driver.model.FindOneAndReplaceOptions;
import dev.semel.driver.model.FindOneAndUpdateOptions;
import dev.semel.driver.model.ReturnDocument;
import dev.semel.driver.model.WriteModel;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.driver.topology.ServerBinding;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import org.bson.BsonBinaryWriter;
import org.bson.codecs.Decoder;
import org.bson.codecs.Encoder;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** {@code findAndModify}: changes one document and answers with it, as it was or as it became. */
public final class FindAndModify<T> {
    private final MongoNamespace namespace;
    private final Decoder<T> decoder;
    private final WriteConcern writeConcern;
    private final CodecRegistry codecs;

    public FindAndModify(
            MongoNamespace namespace, Decoder<T> decoder, WriteConcern writeConcern, CodecRegistry codecs) {
        this.namespace = namespace;
        this.decoder = decoder;
        this.writeConcern = writeConcern;
        this.codecs = codecs;
    }

    public Operation<Optional<T>> update(Bson filter, WriteModel.Change update, FindOneAndUpdateOptions options) {
        return operation(options.getMaxTime(), (fields, bytesMax) -> {
            fields.putBson("query", filter);
            StatementWriter.change(fields, "update", update);
            fields.putBson("fields", options.getProjection())
                    .putBson("sort", options.getSort())
                    .putIfTrue("new", options.getReturnDocument() == ReturnDocument.AFTER)
                    .putIfTrue("upsert", options.isUpsert())
                    .put("bypassDocumentValidation", options.getBypassDocumentValidation())
                    .putBson("collation", options.getCollation())
                    .putBsons("arrayFilters", options.getArrayFilters())
                    .putHint(options.getHint(), options.getHintString())
                    .put("comment", options.getComment())
                    .putBson("let", options.getLet());
        });
    }

    public <D> Operation<Optional<T>> replace(
            Bson filter, D replacement, Encoder<D> encoder, FindOneAndReplaceOptions options) {
        return operation(options.getMaxTime(), (fields, bytesMax) -> {
            fields.putBson("query", filter);
            StatementWriter.checkReplacement(replacement);
            int stored = StoredDocument.write(fields.writer(), "update", replacement, encoder);
            SizeLimit.check("A document", stored, bytesMax);
            fields.putBson("fields", options.getProjection())
                    .putBson("sort", options.getSort())
                    .putIfTrue("new", options.getReturnDocument() == ReturnDocument.AFTER)
                    .putIfTrue("upsert", options.isUpsert())
                    .put("bypassDocumentValidation", options.getBypassDocumentValidation())
                    .putBson("collation", options.getCollation())
                    .putHint(options.getHint(), options.getHintString())
                    .put("comment", options.getComment())
                    .putBson("let", options.getLet());
        });
    }

    public Operation<Optional<T>> delete(Bson filter, FindOneAndDeleteOptions options) {
        return operation(
                options.getMaxTime(),
                (fields, bytesMax) -> fields.putBson("query", filter)
                        .putIfTrue("remove", true)
                        .putBson("fields", options.getProjection())
                        .putBson("sort", options.getSort())
                        .putBson("collation", options.getCollation())
                        .putHint(options.getHint(), options.getHintString())
                        .put("comment", options.getComment())
                        .putBson("let", options.getLet()));
    }

    /** What writes the statement gets the limit of documents as well. */
    private Operation<Optional<T>> operation(@Nullable Duration maxTime, ObjIntConsumer<Fields> statement) {
        return new Statement(maxTime, statement);
    }

    private final class Statement implements RetryableWrite<Optional<T>> {
        private final @Nullable Duration maxTime;
        private final ObjIntConsumer<Fields> fields;

        Statement(@Nullable Duration maxTime, ObjIntConsumer<Fields> fields) {
            this.maxTime = maxTime;
            this.fields = fields;
        }

        @Override
        public String commandName() {
            return "findAndModify";
        }

        @Override
        public String database() {
            return namespace.databaseName();
        }

        @Override
        public WriteConcern writeConcern() {
            return writeConcern;
        }

        @Override
        public @Nullable Duration maxTime() {
            return maxTime;
        }

        @Override
        public void write(BsonBinaryWriter writer, ConnectionDescription connection) {
            var into = new Fields(writer, codecs);
            into.put("findAndModify", namespace.collectionName());
            fields.accept(into, connection.maxDocumentBytes());
        }

        @Override
        public Optional<T> result(Reply reply, ServerBinding server, ConnectionDescription connection) {
            WriteErrors.check(reply);
            RawDocument value = reply.nested("value");
            return value == null ? Optional.empty() : Optional.of(Reply.decode(value, decoder));
        }

        @Override
        public Optional<T> unacknowledged() {
            return Optional.empty();
        }
    }
}
