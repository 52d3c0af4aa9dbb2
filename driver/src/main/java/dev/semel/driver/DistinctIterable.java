package dev.semel.driver;

import dev.semel.driver.connection.MalformedReply;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.codecs.Decoder;
import org.bson.codecs.DecoderContext;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Builds and runs {@code distinct}; all values come in one reply. */
public final class DistinctIterable<T> extends SelectingIterable<T, DistinctIterable<T>> {
    private final MongoNamespace namespace;
    private final String fieldName;
    private Bson filter;

    DistinctIterable(
            Scope scope,
            @Nullable ClientSession session,
            MongoNamespace namespace,
            String fieldName,
            Bson filter,
            Decoder<T> decoder) {
        super(scope, session, decoder);
        this.namespace = namespace;
        this.fieldName = fieldName;
        this.filter = filter;
    }

    public DistinctIterable<T> filter(@Nullable Bson value) {
        filter = value == null ? new BsonDocument() : value;
        return this;
    }

    @Override
    DistinctIterable<T> self() {
        return this;
    }

    @Override
    public MongoCursor<T> cursor() {
        var operation = CommandOperation.read(
                        "distinct",
                        namespace.databaseName(),
                        scope().readPreference(),
                        scope().readConcern(),
                        scope().codecs(),
                        this::write,
                        (reply, server) -> new ReceivedCursor<>(values(reply).iterator(), server.address()))
                .withMaxTime(maxTime());
        return scope().run(operation, session());
    }

    private void write(Fields fields) {
        fields.put("distinct", namespace.collectionName()).put("key", fieldName).putBson("query", filter);
        writeSelection(fields);
    }

    private List<T> values(Reply reply) {
        if (!(reply.body().get("values") instanceof Value.Array)) {
            throw MalformedReply.exception(reply.address(), "it has no values");
        }
        return Reply.decode(reply.body(), this::values);
    }

    private List<T> values(BsonReader reader, DecoderContext context) {
        var values = new ArrayList<T>();
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            if (!reader.readName().equals("values")) {
                reader.skipValue();
                continue;
            }
            reader.readStartArray();
            while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
                values.add(decoder().decode(reader, context));
            }
            reader.readEndArray();
        }
        reader.readEndDocument();
        return values;
    }
}
