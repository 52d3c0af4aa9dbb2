package dev.semel.driver;

import dev.semel.driver.execution.Operation;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.MongoNamespace;
import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** {@code aggregate}, put together and then iterated. Not to be shared between threads. */
public final class AggregateIterable<T> implements MongoIterable<T> {
    private final Scope scope;
    private final @Nullable ClientSession session;
    private final String database;
    private final @Nullable String collection;
    private final Decoder<T> decoder;
    private final List<BsonDocument> pipeline;
    private @Nullable Boolean allowDiskUse;
    private int batchSize = 0;
    private @Nullable Duration maxTime;
    private @Nullable Duration maxAwaitTime;
    private @Nullable Boolean bypassDocumentValidation;
    private @Nullable Bson collation;
    private @Nullable BsonValue comment;
    private @Nullable Bson hint;
    private @Nullable String hintString;
    private @Nullable Bson let;

    /** Without a collection the pipeline begins with the database. */
    AggregateIterable(
            Scope scope,
            @Nullable ClientSession session,
            String database,
            @Nullable String collection,
            List<? extends Bson> pipeline,
            Decoder<T> decoder) {
        this.scope = scope;
        this.session = session;
        this.database = database;
        this.collection = collection;
        this.decoder = decoder;
        this.pipeline = pipeline.stream()
                .map(each -> each.toBsonDocument(Document.class, scope.codecs()))
                .toList();
    }

    public AggregateIterable<T> allowDiskUse(@Nullable Boolean value) {
        allowDiskUse = value;
        return this;
    }

    @Override
    public AggregateIterable<T> batchSize(int value) {
        batchSize = value;
        return this;
    }

    public AggregateIterable<T> maxTime(@Nullable Duration value) {
        maxTime = value;
        return this;
    }

    public AggregateIterable<T> maxAwaitTime(@Nullable Duration value) {
        maxAwaitTime = value;
        return this;
    }

    public AggregateIterable<T> bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return this;
    }

    public AggregateIterable<T> collation(@Nullable Bson value) {
        collation = value;
        return this;
    }

    public AggregateIterable<T> comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }

    public AggregateIterable<T> hint(@Nullable Bson value) {
        hint = value;
        return this;
    }

    public AggregateIterable<T> hintString(@Nullable String value) {
        hintString = value;
        return this;
    }

    public AggregateIterable<T> let(@Nullable Bson value) {
        let = value;
        return this;
    }

    /** Runs a pipeline that ends in {@code $out} or {@code $merge}. */
    public void toCollection() {
        if (target() == null) {
            throw new IllegalStateException("The last stage of the pipeline must be $out or $merge");
        }
        scope.run(operation(), session);
    }

    /** The documents; of a pipeline that writes, those of the collection it wrote to. */
    @Override
    public MongoCursor<T> cursor() {
        MongoNamespace target = target();
        if (target == null) {
            return scope.open(operation(), session, decoder, fetch());
        }
        toCollection();
        return new FindIterable<>(scope, session, target, decoder, null)
                .batchSize(batchSize)
                .cursor();
    }

    private Fetch fetch() {
        return new Fetch(batchSize, 0, maxAwaitTime != null, maxAwaitTime, comment);
    }

    private Operation<CursorPage> operation() {
        boolean writes = target() != null;
        return new CommandOperation<>(
                "aggregate",
                database,
                writes ? Operation.Kind.WRITE : Operation.Kind.READ,
                !writes,
                false,
                true,
                scope.readPreference(),
                scope.readConcern(),
                writes ? scope.writeConcern() : null,
                null,
                maxTime,
                scope.codecs(),
                fields -> write(fields, writes),
                CursorPage::of);
    }

    private void write(Fields fields, boolean writes) {
        if (collection == null) {
            fields.put("aggregate", 1);
        } else {
            fields.put("aggregate", collection);
        }
        fields.putBsons("pipeline", pipeline);
        fields.writer().writeStartDocument("cursor");
        fields.put("batchSize", batchSize == 0 || writes ? null : Integer.valueOf(batchSize));
        fields.writer().writeEndDocument();
        fields.put("allowDiskUse", allowDiskUse)
                .put("bypassDocumentValidation", bypassDocumentValidation)
                .putBson("collation", collation)
                .put("comment", comment)
                .putHint(hint, hintString)
                .putBson("let", let);
    }

    private @Nullable MongoNamespace target() {
        if (pipeline.isEmpty()) {
            return null;
        }
        BsonDocument last = pipeline.getLast();
        BsonValue out = last.get("$out");
        BsonValue merge = last.get("$merge");
        BsonValue into =
                merge instanceof BsonDocument document && document.containsKey("into") ? document.get("into") : merge;
        BsonValue named = out == null ? into : out;
        return switch (named) {
            case null -> null;
            case BsonString name -> new MongoNamespace(database, name.getValue());
            case BsonDocument document ->
                new MongoNamespace(
                        document.getString("db", new BsonString(database)).getValue(),
                        document.getString("coll").getValue());
            default ->
                throw new IllegalArgumentException("The target of " + last + " is neither a name nor a document");
        };
    }
}
