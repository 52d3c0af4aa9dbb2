package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.bson.BsonDocument;

/** The cursor no longer exists: it was closed, or idle for too long. */
public class MongoCursorNotFoundException extends MongoQueryException {
    private static final long serialVersionUID = 1L;

    public MongoCursorNotFoundException(
            int code, String codeName, String errorMessage, BsonDocument response, ServerAddress address) {
        super(code, codeName, errorMessage, response, address);
    }
}
