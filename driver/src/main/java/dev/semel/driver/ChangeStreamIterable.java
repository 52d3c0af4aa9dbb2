package dev.semel.driver;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.model.changestream.ChangeStreamDocument;
import dev.semel.driver.model.changestream.FullDocument;
import dev.semel.driver.model.changestream.FullDocumentBeforeChange;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.ReadConcern;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Builds a change stream; {@link #cursor} opens it. Not to be shared between threads.
 *
 * @param <T> the class of the documents in changes
 */
public final class ChangeStreamIterable<T> extends CursorIterable<ChangeStreamDocument<T>, ChangeStreamIterable<T>> {
    private static final BsonDocumentCodec CHANGE = new BsonDocumentCodec();

    private final Target target;
    private final List<? extends Bson> pipeline;
    private FullDocument fullDocument = FullDocument.DEFAULT;
    private FullDocumentBeforeChange fullDocumentBeforeChange = FullDocumentBeforeChange.DEFAULT;
    private @Nullable BsonDocument resumeAfter;
    private @Nullable BsonDocument startAfter;
    private @Nullable BsonTimestamp startAtOperationTime;
    private @Nullable Duration maxAwaitTime;
    private @Nullable Bson collation;
    private boolean showExpandedEvents;

    /** The target of the stream: a collection, a database if the collection is null, or the cluster. */
    record Target(String database, @Nullable String collection, boolean isEverything) {}

    ChangeStreamIterable(
            Scope scope,
            @Nullable ClientSession session,
            Target target,
            List<? extends Bson> pipeline,
            Decoder<T> decoder) {
        super(scope, session, (reader, context) -> ChangeStreamDocument.of(CHANGE.decode(reader, context), decoder));
        this.target = target;
        this.pipeline = pipeline;
    }

    public ChangeStreamIterable<T> fullDocument(FullDocument value) {
        fullDocument = value;
        return this;
    }

    public ChangeStreamIterable<T> fullDocumentBeforeChange(FullDocumentBeforeChange value) {
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
    public ChangeStreamCursor<ChangeStreamDocument<T>> cursor() {
        return new ChangeStreamCursor<>(this, decoder());
    }

    /** The same stream, with each whole change decoded as another class. */
    public <D> MongoIterable<D> withDocumentClass(Class<D> documentClass) {
        return new WholeChanges<>(this, scope().codecs().get(documentClass));
    }

    @Override
    ChangeStreamIterable<T> self() {
        return this;
    }

    /** Where a stream starts: after a resume token, at a time, or now. */
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

    /** The deadline of an operation that starts now. */
    Deadline deadline() {
        return scope().deadline();
    }

    ServerCursor<BsonDocument> open(Start from, Deadline deadline) {
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
                        new Fetch(batchSize(), 0, Fetch.Waiting.AT_THE_SERVER, maxAwaitTime, comment(), null),
                        deadline);
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
        fields.put("fullDocument", fullDocument == FullDocument.DEFAULT ? null : fullDocument.getValue())
                .put(
                        "fullDocumentBeforeChange",
                        fullDocumentBeforeChange == FullDocumentBeforeChange.DEFAULT
                                ? null
                                : fullDocumentBeforeChange.getValue())
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
