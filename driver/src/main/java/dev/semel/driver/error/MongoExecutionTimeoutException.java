package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.bson.BsonDocument;

/** The operation exceeded {@code maxTimeMS}. */
public class MongoExecutionTimeoutException extends MongoCommandException {
    private static final long serialVersionUID = 1L;

    public MongoExecutionTimeoutException(
            int code, String codeName, String errorMessage, BsonDocument response, ServerAddress address) {
        super(code, codeName, errorMessage, response, address);
    }
}
