package dev.semel.conformance.adapter;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What an error of a driver says.
 *
 * @param isClientError it was found by the driver, or the network failed; the server did not answer with it
 * @param response what the server answered
 * @param result what was done before the error
 * @param writeErrors by the number of the write
 */
public record Failure(
        String message,
        boolean isClientError,
        boolean isTimeout,
        @Nullable Integer code,
        @Nullable String codeName,
        Set<String> labels,
        @Nullable BsonDocument response,
        @Nullable BsonValue result,
        Map<Integer, BsonDocument> writeErrors,
        List<BsonDocument> writeConcernErrors) {
    /**
     * Whether an exception that is none of the driver's own types says that the caller asked for something wrong. Any other,
     * such as a {@link NullPointerException}, is a fault of driver or adapter, and no case may expect it.
     */
    public static boolean isRefusal(Throwable thrown) {
        return thrown instanceof IllegalArgumentException || thrown instanceof IllegalStateException;
    }

    /** An error inside an answer, under the names that cases ask for. */
    public static BsonDocument said(int code, String message, BsonDocument details) {
        return new BsonDocument("code", new BsonInt32(code))
                .append("message", new BsonString(message))
                .append("errmsg", new BsonString(message))
                .append("details", details)
                .append("errInfo", details);
    }
}
