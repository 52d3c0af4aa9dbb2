package dev.semel.driver.gridfs;

import dev.semel.driver.ClientSession;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.MongoDatabase;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.Time;
import dev.semel.driver.error.MongoOperationTimeoutException;
import java.time.Duration;
import java.time.Instant;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** The two collections of a bucket, during one operation: each command gets what is left of the operation's time. */
final class Store {
    private final MongoDatabase database;
    private final String bucket;
    private final @Nullable ClientSession session;
    private final Time time;
    private final Deadline deadline;

    Store(MongoDatabase database, String bucket, @Nullable ClientSession session, Time time) {
        this.database = database;
        this.bucket = bucket;
        this.session = session;
        this.time = time;
        deadline = time.after(database.getTimeout());
    }

    @Nullable
    ClientSession session() {
        return session;
    }

    Instant now() {
        return time.clock().instant();
    }

    MongoCollection<BsonDocument> files() {
        return collection(".files");
    }

    MongoCollection<BsonDocument> chunks() {
        return collection(".chunks");
    }

    private MongoCollection<BsonDocument> collection(String suffix) {
        MongoCollection<BsonDocument> collection = database.getCollection(bucket + suffix, BsonDocument.class);
        boolean hasDeadlineOfTransaction = session != null && session.hasActiveTransaction();
        if (!deadline.isSet() || hasDeadlineOfTransaction) {
            return collection;
        }
        if (deadline.hasPassed()) {
            throw new MongoOperationTimeoutException("The time for the operation on " + bucket + suffix + " is over");
        }
        return collection.withTimeout(Duration.ofNanos(deadline.remainingNanos()));
    }

    GridFSFile file(BsonDocument document) {
        return GridFSFile.of(document, database.getCodecRegistry());
    }
}
