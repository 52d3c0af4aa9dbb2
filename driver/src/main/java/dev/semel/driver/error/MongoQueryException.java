package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.bson.BsonDocument;

/** A query, or the next batch of its results, failed. */
public class MongoQueryException extends MongoCommandException {
    private static final long serialVersionUID = 1L;

    public MongoQueryException(
            int code, String codeName, String errorMessage, BsonDocument response, ServerAddress address) {
        super(code, codeName, errorMessage, response, address);
    }
}
