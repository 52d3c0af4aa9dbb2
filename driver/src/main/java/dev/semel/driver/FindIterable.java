package dev.semel.driver;

import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.MongoNamespace;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Builds and runs {@code find}. Not to be shared between threads. */
public final class FindIterable<T> extends ExplainableIterable<T, FindIterable<T>> {
    private final MongoNamespace namespace;
    private Bson filter;
    private @Nullable Bson projection;
    private @Nullable Bson sort;
    private @Nullable Bson max;
    private @Nullable Bson min;
    private @Nullable Duration maxAwaitTime;
    private int skip = 0;
    private int limit = 0;
    private CursorType cursorType = CursorType.NON_TAILABLE;
    private boolean noCursorTimeout = false;
    private boolean partial = false;
    private boolean returnKey = false;
    private boolean showRecordId = false;
    private @Nullable Boolean allowDiskUse;

    FindIterable(
            Scope scope, @Nullable ClientSession session, MongoNamespace namespace, Decoder<T> decoder, Bson filter) {
        super(scope, session, decoder);
        this.namespace = namespace;
        this.filter = filter;
    }

    public FindIterable<T> filter(@Nullable Bson value) {
        filter = value == null ? new BsonDocument() : value;
        return this;
    }

    public FindIterable<T> projection(@Nullable Bson value) {
        projection = value;
        return this;
    }

    public FindIterable<T> sort(@Nullable Bson value) {
        sort = value;
        return this;
    }

    public FindIterable<T> max(@Nullable Bson value) {
        max = value;
        return this;
    }

    public FindIterable<T> min(@Nullable Bson value) {
        min = value;
        return this;
    }

    /** How long the server waits for new documents, if the cursor is {@link CursorType#TAILABLE_AWAIT}. */
    public FindIterable<T> maxAwaitTime(@Nullable Duration value) {
        maxAwaitTime = value;
        return this;
    }

    public FindIterable<T> maxAwaitTime(long value, TimeUnit unit) {
        return maxAwaitTime(Duration.of(value, unit.toChronoUnit()));
    }

    public FindIterable<T> skip(int value) {
        skip = value;
        return this;
    }

    public FindIterable<T> limit(int value) {
        limit = value;
        return this;
    }

    public FindIterable<T> cursorType(CursorType value) {
        cursorType = value;
        return this;
    }

    public FindIterable<T> noCursorTimeout(boolean value) {
        noCursorTimeout = value;
        return this;
    }

    public FindIterable<T> partial(boolean value) {
        partial = value;
        return this;
    }

    public FindIterable<T> returnKey(boolean value) {
        returnKey = value;
        return this;
    }

    public FindIterable<T> showRecordId(boolean value) {
        showRecordId = value;
        return this;
    }

    public FindIterable<T> allowDiskUse(@Nullable Boolean value) {
        allowDiskUse = value;
        return this;
    }

    @Override
    public @Nullable T first() {
        try (var cursor = open(1, true)) {
            return cursor.hasNext() ? cursor.next() : null;
        }
    }

    @Override
    public MongoCursor<T> cursor() {
        return open(limit, limit < 0);
    }

    @Override
    String database() {
        return namespace.databaseName();
    }

    @Override
    void writeCommand(Fields fields) {
        write(fields, limit, limit < 0);
    }

    @Override
    FindIterable<T> self() {
        return this;
    }

    private MongoCursor<T> open(int most, boolean singleBatch) {
        var operation = CommandOperation.read(
                        "find",
                        namespace.databaseName(),
                        scope().readPreference(),
                        scope().readConcern(),
                        scope().codecs(),
                        fields -> write(fields, most, singleBatch),
                        CursorPage::of)
                .withMaxTime(maxTime());
        var fetch = new Fetch(
                batchSize(),
                Math.abs((long) most),
                Fetch.Waiting.of(cursorType),
                maxAwaitTime,
                comment(),
                timeoutMode());
        return scope().open(operation, session(), decoder(), fetch);
    }

    private void write(Fields fields, int most, boolean singleBatch) {
        // A batch as large as the limit would leave a cursor open that has nothing more to give.
        boolean isWholeInOneBatch = most != 0 && batchSize() == Math.abs(most);
        fields.put("find", namespace.collectionName())
                .putBson("filter", filter)
                .putBson("projection", projection)
                .putBson("sort", sort)
                .putUnlessZero("skip", skip)
                .putUnlessZero("limit", Math.abs(most))
                .putUnlessZero("batchSize", isWholeInOneBatch ? batchSize() + 1 : batchSize())
                .putIfTrue("singleBatch", singleBatch)
                .putBson("max", max)
                .putBson("min", min)
                .putIfTrue("returnKey", returnKey)
                .putIfTrue("showRecordId", showRecordId)
                .putIfTrue("tailable", cursorType.isTailable())
                .putIfTrue("awaitData", cursorType == CursorType.TAILABLE_AWAIT)
                .putIfTrue("noCursorTimeout", noCursorTimeout)
                .putIfTrue("allowPartialResults", partial)
                .put("allowDiskUse", allowDiskUse)
                .putBson("let", let());
        writeSelection(fields);
    }
}
