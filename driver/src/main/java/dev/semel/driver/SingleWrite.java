package dev.semel.driver;

import dev.semel.driver.error.MongoServerException;
import dev.semel.driver.error.MongoWriteConcernException;
import dev.semel.driver.error.MongoWriteException;
import dev.semel.driver.error.WriteConcernError;
import dev.semel.driver.model.MongoBulkWriteException;
import org.bson.BsonDocument;

/** Converts the exception of a bulk write into that of a single write. */
final class SingleWrite {
    private SingleWrite() {}

    static MongoServerException exception(MongoBulkWriteException e) {
        MongoServerException single = single(e);
        e.getErrorLabels().forEach(single::addLabel);
        return single;
    }

    private static MongoServerException single(MongoBulkWriteException e) {
        WriteConcernError concern = e.getWriteConcernError();
        if (!e.getWriteErrors().isEmpty()) {
            return MongoWriteException.of(e.getWriteErrors().getFirst().error(), e.getServerAddress());
        }
        return concern == null ? e : new MongoWriteConcernException(concern, new BsonDocument(), e.getServerAddress());
    }
}
