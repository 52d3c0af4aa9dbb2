package dev.semel.conformance.own;

import dev.semel.conformance.adapter.DrivenCursor;
import dev.semel.driver.MongoCursor;
import java.time.Duration;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A cursor that stays open. */
record OpenCursor(String kind, MongoCursor<BsonDocument> cursor) implements DrivenCursor {
    @Override
    public BsonDocument next() {
        return cursor.next();
    }

    @Override
    public @Nullable BsonDocument tryNext() {
        return cursor.tryNext();
    }

    @Override
    public void close() {
        cursor.close();
    }

    @Override
    public void close(Duration timeout) {
        cursor.close(timeout);
    }
}
