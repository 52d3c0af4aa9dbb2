package dev.semel.driver;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** The cursor of a change stream. */
public interface MongoChangeStreamCursor<T> extends MongoCursor<T> {
    /** The resume token: a new stream, also in another process, can start after the last returned change. */
    @Nullable
    BsonDocument getResumeToken();
}
