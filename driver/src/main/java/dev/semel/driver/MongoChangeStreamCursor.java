package dev.semel.driver;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A cursor that follows changes. */
public interface MongoChangeStreamCursor<T> extends MongoCursor<T> {
    /** Where to go on after the last change handed out, also in another process. */
    @Nullable
    BsonDocument getResumeToken();
}
