package dev.semel.driver.operation;

import dev.semel.driver.connection.Command;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.execution.Operation;
import dev.semel.driver.model.InsertOneOptions;
import dev.semel.driver.model.InsertOneResult;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.driver.topology.Place;
import org.bson.BsonBinaryWriter;
import org.bson.BsonValue;
import org.bson.codecs.Encoder;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.io.BsonOutput;
import org.jspecify.annotations.Nullable;

/** {@code insert} of one document, encoded straight into the message. */
public record InsertOne<T>(
        MongoNamespace namespace,
        T document,
        Encoder<T> encoder,
        @Nullable BsonValue id,
        InsertOneOptions options,
        WriteConcern writeConcern,
        CodecRegistry codecs)
        implements Operation<InsertOneResult>, Command.Sequence {
    private static final EncoderContext STORED =
            EncoderContext.builder().isEncodingCollectibleDocument(true).build();

    @Override
    public String commandName() {
        return "insert";
    }

    @Override
    public String database() {
        return namespace.databaseName();
    }

    @Override
    public Kind kind() {
        return Kind.WRITE;
    }

    @Override
    public boolean isRetryable() {
        return true;
    }

    @Override
    public void write(BsonBinaryWriter writer, ConnectionDescription connection) {
        new Fields(writer, codecs)
                .put("insert", namespace.collectionName())
                .put("ordered", true)
                .put("bypassDocumentValidation", options.getBypassDocumentValidation())
                .put("comment", options.getComment());
    }

    @Override
    public Command.Sequence sequence(ConnectionDescription connection) {
        return this;
    }

    @Override
    public String field() {
        return "documents";
    }

    @Override
    public void write(BsonOutput out) {
        encoder.encode(new BsonBinaryWriter(out), document, STORED);
    }

    @Override
    public InsertOneResult result(Reply reply, Place server, ConnectionDescription connection) {
        WriteErrors.check(reply);
        return new InsertOneResult(true, id);
    }

    @Override
    public boolean mayBeUnacknowledged() {
        return true;
    }

    @Override
    public InsertOneResult unacknowledged() {
        return new InsertOneResult(false, id);
    }
}
