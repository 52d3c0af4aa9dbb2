package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.bson.BsonDocument;

/** The server cannot answer while it recovers or shuts down. */
public class MongoNodeIsRecoveringException extends MongoCommandException {
    private static final long serialVersionUID = 1L;

    public MongoNodeIsRecoveringException(
            int code, String codeName, String errorMessage, BsonDocument response, ServerAddress address) {
        super(code, codeName, errorMessage, response, address);
    }
}
