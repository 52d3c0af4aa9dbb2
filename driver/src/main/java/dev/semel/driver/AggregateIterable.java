package dev.semel.driver;

import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.MongoNamespace;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Builds and runs {@code aggregate}. Not to be shared between threads. */
public final class AggregateIterable<T> extends ExplainableIterable<T, AggregateIterable<T>> {
    private final String database;
    private final @Nullable String collection;
    private final List<BsonDocument> pipeline;
    private @Nullable Boolean allowDiskUse;
    private @Nullable Duration maxAwaitTime;
    private @Nullable Boolean bypassDocumentValidation;

    /** Null as the collection: the pipeline runs on the database. */
    AggregateIterable(
            Scope scope,
            @Nullable ClientSession session,
            String database,
            @Nullable String collection,
            List<? extends Bson> pipeline,
            Decoder<T> decoder) {
        super(scope, session, decoder);
        this.database = database;
        this.collection = collection;
        this.pipeline = pipeline.stream()
                .map(each -> each.toBsonDocument(Document.class, scope.codecs()))
                .toList();
    }

    public AggregateIterable<T> allowDiskUse(@Nullable Boolean value) {
        allowDiskUse = value;
        return this;
    }

    /** How long the server waits for new results, if the pipeline opens a cursor that waits for them. */
    public AggregateIterable<T> maxAwaitTime(@Nullable Duration value) {
        maxAwaitTime = value;
        return this;
    }

    public AggregateIterable<T> maxAwaitTime(long value, TimeUnit unit) {
        return maxAwaitTime(Duration.of(value, unit.toChronoUnit()));
    }

    public AggregateIterable<T> bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return this;
    }

    @Override
    String database() {
        return database;
    }

    @Override
    void writeCommand(Fields fields) {
        write(fields, target() != null);
    }

    @Override
    AggregateIterable<T> self() {
        return this;
    }

    /**
     * Runs a pipeline that ends in {@code $out} or {@code $merge}.
     *
     * @throws IllegalStateException if it ends otherwise
     */
    public void toCollection() {
        if (target() == null) {
            throw new IllegalStateException("The last stage of the pipeline must be $out or $merge");
        }
        if (timeoutMode() == TimeoutMode.ITERATION) {
            throw new IllegalArgumentException(
                    "A pipeline that writes is not iterated: its timeoutMode must not be " + TimeoutMode.ITERATION);
        }
        scope().run(operation(), session());
    }

    /** The results; for a pipeline that writes, the documents of the collection it has written to. */
    @Override
    public MongoCursor<T> cursor() {
        MongoNamespace target = target();
        if (target == null) {
            var waiting = maxAwaitTime == null ? Fetch.Waiting.NEVER : Fetch.Waiting.AT_THE_SERVER;
            var fetch = new Fetch(batchSize(), 0, waiting, maxAwaitTime, comment(), timeoutMode());
            return scope().open(operation(), session(), decoder(), fetch);
        }
        toCollection();
        return new FindIterable<>(scope(), session(), target, decoder(), new BsonDocument())
                .batchSize(batchSize())
                .cursor();
    }

    private CommandOperation<CursorPage> operation() {
        boolean writes = target() != null;
        return CommandOperation.of(
                        "aggregate",
                        database,
                        writes ? CommandOperation.Traits.WRITE : CommandOperation.Traits.READ,
                        scope().codecs(),
                        fields -> write(fields, writes),
                        CursorPage::of)
                .withReadPreference(scope().readPreference())
                .withConcerns(scope().readConcern(), writes ? scope().writeConcern() : null)
                .withMaxTime(maxTime());
    }

    private void write(Fields fields, boolean writes) {
        if (collection == null) {
            fields.put("aggregate", 1);
        } else {
            fields.put("aggregate", collection);
        }
        fields.putBsons("pipeline", pipeline);
        if (writes) {
            fields.putBson("cursor", new BsonDocument());
        } else {
            writeCursor(fields);
        }
        fields.put("allowDiskUse", allowDiskUse)
                .put("bypassDocumentValidation", bypassDocumentValidation)
                .putBson("let", let());
        writeSelection(fields);
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
