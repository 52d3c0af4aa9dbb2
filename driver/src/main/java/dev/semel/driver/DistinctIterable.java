package dev.semel.driver;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.codecs.Decoder;
import org.bson.codecs.DecoderContext;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** {@code distinct}, put together and then iterated; all values come in one answer. */
public final class DistinctIterable<T> implements MongoIterable<T> {
    private final Scope scope;
    private final @Nullable ClientSession session;
    private final MongoNamespace namespace;
    private final String fieldName;
    private final Decoder<T> decoder;
    private Bson filter;
    private @Nullable Duration maxTime;
    private @Nullable Bson collation;
    private @Nullable BsonValue comment;
    private @Nullable Bson hint;
    private @Nullable String hintString;

    DistinctIterable(
            Scope scope,
            @Nullable ClientSession session,
            MongoNamespace namespace,
            String fieldName,
            @Nullable Bson filter,
            Decoder<T> decoder) {
        this.scope = scope;
        this.session = session;
        this.namespace = namespace;
        this.fieldName = fieldName;
        this.decoder = decoder;
        this.filter = filter == null ? new BsonDocument() : filter;
    }

    public DistinctIterable<T> filter(@Nullable Bson value) {
        filter = value == null ? new BsonDocument() : value;
        return this;
    }

    /** There are no batches. */
    @Override
    public DistinctIterable<T> batchSize(int value) {
        return this;
    }

    public DistinctIterable<T> maxTime(@Nullable Duration value) {
        maxTime = value;
        return this;
    }

    public DistinctIterable<T> collation(@Nullable Bson value) {
        collation = value;
        return this;
    }

    public DistinctIterable<T> comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }

    public DistinctIterable<T> hint(@Nullable Bson value) {
        hint = value;
        return this;
    }

    public DistinctIterable<T> hintString(@Nullable String value) {
        hintString = value;
        return this;
    }

    @Override
    public MongoCursor<T> cursor() {
        var operation = CommandOperation.read(
                        "distinct",
                        namespace.databaseName(),
                        scope.readPreference(),
                        scope.readConcern(),
                        scope.codecs(),
                        fields -> fields.put("distinct", namespace.collectionName())
                                .put("key", fieldName)
                                .putBson("query", filter)
                                .putBson("collation", collation)
                                .put("comment", comment)
                                .putHint(hint, hintString),
                        (reply, server) -> new Values<>(
                                Reply.decode(reply.body(), this::values).iterator(), server.address()))
                .withMaxTime(maxTime);
        return scope.run(operation, session);
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
                values.add(decoder.decode(reader, context));
            }
            reader.readEndArray();
        }
        reader.readEndDocument();
        return values;
    }

    private record Values<T>(Iterator<T> values, ServerAddress address) implements MongoCursor<T> {
        @Override
        public boolean hasNext() {
            return values.hasNext();
        }

        @Override
        public T next() {
            return values.next();
        }

        @Override
        public @Nullable T tryNext() {
            return values.hasNext() ? values.next() : null;
        }

        @Override
        public int available() {
            return values.hasNext() ? 1 : 0;
        }

        @Override
        public long cursorId() {
            return 0;
        }

        @Override
        public ServerAddress getServerAddress() {
            return address;
        }

        @Override
        public void close() {
            // Everything has come.
        }
    }
}
