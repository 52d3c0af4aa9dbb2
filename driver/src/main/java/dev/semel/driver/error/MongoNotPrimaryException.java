package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.bson.BsonDocument;

/** The server is not, or no longer, the primary. */
public class MongoNotPrimaryException extends MongoCommandException {
    private static final long serialVersionUID = 1L;

    public MongoNotPrimaryException(
            int code, String codeName, String errorMessage, BsonDocument response, ServerAddress address) {
        super(code, codeName, errorMessage, response, address);
    }
}
