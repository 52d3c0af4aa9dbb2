package dev.semel.driver.operation;

import dev.semel.driver.connection.Command;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.connection.SizeLimit;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.model.InsertOneOptions;
import dev.semel.driver.model.InsertOneResult;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.driver.topology.ServerBinding;
import org.bson.BsonBinaryWriter;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.Encoder;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.io.BasicOutputBuffer;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** {@code insert} of one document, encoded straight into the message. */
public final class InsertOne<T> implements RetryableWrite<InsertOneResult>, Command.Sequence {
    private final MongoNamespace namespace;
    private final T document;
    private final Encoder<T> encoder;
    private final InsertOneOptions options;
    private final WriteConcern writeConcern;
    private final CodecRegistry codecs;

    /** For a document without one; every attempt has to send the same. */
    private @Nullable ObjectId generatedId;

    /** Of the document as it was last encoded. */
    private @Nullable BsonValue id;

    /** Of the server that the attempt under way goes to. */
    private int bytesMax;

    public InsertOne(
            MongoNamespace namespace,
            T document,
            Codec<T> codec,
            InsertOneOptions options,
            WriteConcern writeConcern,
            CodecRegistry codecs) {
        this.namespace = namespace;
        this.document = InsertedDocument.withId(document, codec);
        this.encoder = codec;
        this.options = options;
        this.writeConcern = writeConcern;
        this.codecs = codecs;
    }

    @Override
    public String commandName() {
        return "insert";
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
    public void prepare(ConnectionDescription connection) {
        bytesMax = connection.maxDocumentBytes();
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
    public void write(BasicOutputBuffer out) {
        int start = out.getPosition();
        id = InsertedDocument.write(new BsonBinaryWriter(out), out, document, encoder, this::generatedId);
        SizeLimit.check("A document", out.getPosition() - start, bytesMax);
    }

    private ObjectId generatedId() {
        ObjectId known = generatedId;
        if (known == null) {
            known = new ObjectId();
            generatedId = known;
        }
        return known;
    }

    @Override
    public InsertOneResult result(Reply reply, ServerBinding server, ConnectionDescription connection) {
        WriteErrors.check(reply);
        return new InsertOneResult(true, id);
    }

    @Override
    public InsertOneResult unacknowledged() {
        return new InsertOneResult(false, id);
    }
}
