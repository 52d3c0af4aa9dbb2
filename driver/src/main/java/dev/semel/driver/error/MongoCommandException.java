package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.bson.BsonDocument;

/** A command failed; the response says how. */
public class MongoCommandException extends MongoServerException {
    private static final long serialVersionUID = 1L;

    private final transient BsonDocument response;

    public MongoCommandException(
            int code, String codeName, String errorMessage, BsonDocument response, ServerAddress address) {
        super(
                code,
                codeName,
                "Command failed with error " + code + (codeName.isEmpty() ? "" : " (" + codeName + ")") + ": '"
                        + errorMessage + "' on server " + address,
                address);
        this.response = response;
        this.errorMessage = errorMessage;
    }

    private final String errorMessage;

    public int getErrorCode() {
        return getCode();
    }

    /** The server's own words. */
    public String getErrorMessage() {
        return errorMessage;
    }

    public BsonDocument getResponse() {
        return response;
    }
}
