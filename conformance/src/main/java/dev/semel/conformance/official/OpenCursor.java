package dev.semel.conformance.official;

import com.mongodb.client.MongoCursor;
import dev.semel.conformance.adapter.DrivenCursor;
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
}
