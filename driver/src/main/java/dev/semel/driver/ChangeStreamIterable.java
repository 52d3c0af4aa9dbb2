package dev.semel.driver;

import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.ReadConcern;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** A change stream, put together and then followed with {@link #cursor}. Not to be shared between threads. */
public final class ChangeStreamIterable<T> extends CursorIterable<T, ChangeStreamIterable<T>> {
    private final Target target;
    private final List<? extends Bson> pipeline;
    private @Nullable String fullDocument;
    private @Nullable String fullDocumentBeforeChange;
    private @Nullable BsonDocument resumeAfter;
    private @Nullable BsonDocument startAfter;
    private @Nullable BsonTimestamp startAtOperationTime;
    private @Nullable Duration maxAwaitTime;
    private @Nullable Bson collation;
    private boolean showExpandedEvents;

    /** What is watched: a collection, a database where the collection is null, or everything. */
    record Target(String database, @Nullable String collection, boolean isEverything) {}

    ChangeStreamIterable(
            Scope scope,
            @Nullable ClientSession session,
            Target target,
            List<? extends Bson> pipeline,
            Decoder<T> decoder) {
        super(scope, session, decoder);
        this.target = target;
        this.pipeline = pipeline;
    }

    /** {@code updateLookup}, {@code whenAvailable} or {@code required}. */
    public ChangeStreamIterable<T> fullDocument(@Nullable String value) {
        fullDocument = value;
        return this;
    }

    public ChangeStreamIterable<T> fullDocumentBeforeChange(@Nullable String value) {
        fullDocumentBeforeChange = value;
        return this;
    }

    public ChangeStreamIterable<T> resumeAfter(@Nullable BsonDocument value) {
        resumeAfter = value;
        return this;
    }

    public ChangeStreamIterable<T> startAfter(@Nullable BsonDocument value) {
        startAfter = value;
        return this;
    }

    public ChangeStreamIterable<T> startAtOperationTime(@Nullable BsonTimestamp value) {
        startAtOperationTime = value;
        return this;
    }

    public ChangeStreamIterable<T> maxAwaitTime(@Nullable Duration value) {
        maxAwaitTime = value;
        return this;
    }

    public ChangeStreamIterable<T> maxAwaitTime(long value, TimeUnit unit) {
        return maxAwaitTime(Duration.of(value, unit.toChronoUnit()));
    }

    public ChangeStreamIterable<T> collation(@Nullable Bson value) {
        collation = value;
        return this;
    }

    public ChangeStreamIterable<T> showExpandedEvents(boolean value) {
        showExpandedEvents = value;
        return this;
    }

    @Override
    public ChangeStreamCursor<T> cursor() {
        return new ChangeStreamCursor<>(this, decoder());
    }

    @Override
    ChangeStreamIterable<T> self() {
        return this;
    }

    /** Where a stream begins: behind a token, at a time, or now. */
    record Start(
            @Nullable BsonDocument resumeAfter,
            @Nullable BsonDocument startAfter,
            @Nullable BsonTimestamp atTime) {
        boolean isNow() {
            return resumeAfter == null && startAfter == null && atTime == null;
        }
    }

    Start start() {
        return new Start(resumeAfter, startAfter, startAtOperationTime);
    }

    MongoCursor<BsonDocument> open(Start from) {
        ClientSession within = session();
        var operation = CommandOperation.read(
                "aggregate",
                target.database(),
                scope().readPreference(),
                within == null || !within.hasActiveTransaction() ? scope().readConcern() : ReadConcern.DEFAULT,
                scope().codecs(),
                fields -> write(fields, from),
                CursorPage::of);
        return scope().open(
                        operation,
                        within,
                        scope().codecs().get(BsonDocument.class),
                        new Fetch(batchSize(), 0, Fetch.Waiting.AT_THE_SERVER, maxAwaitTime, comment(), null));
    }

    private void write(Fields fields, Start from) {
        String collection = target.collection();
        if (collection == null) {
            fields.put("aggregate", 1);
        } else {
            fields.put("aggregate", collection);
        }
        var writer = fields.writer();
        writer.writeStartArray("pipeline");
        writer.writeStartDocument();
        writer.writeStartDocument("$changeStream");
        fields.put("fullDocument", fullDocument)
                .put("fullDocumentBeforeChange", fullDocumentBeforeChange)
                .putIfTrue("allChangesForCluster", target.isEverything())
                .putIfTrue("showExpandedEvents", showExpandedEvents)
                .putBson("resumeAfter", from.resumeAfter())
                .putBson("startAfter", from.startAfter())
                .put("startAtOperationTime", from.atTime());
        writer.writeEndDocument();
        writer.writeEndDocument();
        pipeline.forEach(fields::element);
        writer.writeEndArray();
        writeCursor(fields);
        fields.putBson("collation", collation).put("comment", comment());
    }
}
