package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.bson.BsonDocument;

/** A write was applied, but its write concern was not satisfied. */
public class MongoWriteConcernException extends MongoServerException {
    private static final long serialVersionUID = 1L;

    private final transient WriteConcernError error;
    private final transient BsonDocument response;

    public MongoWriteConcernException(WriteConcernError error, BsonDocument response, ServerAddress address) {
        super(
                error.code(),
                error.codeName(),
                "Write concern error " + error.code() + " on server " + address + ": " + error.message(),
                address);
        this.error = error;
        this.response = response;
    }

    public WriteConcernError getWriteConcernError() {
        return error;
    }

    public BsonDocument getResponse() {
        return response;
    }
}
