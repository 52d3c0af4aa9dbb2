package dev.semel.driver.model;

import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Options of writes: a token by which a Semel server applies the write once. */
public sealed interface OnceOptions<S extends OnceOptions<S>>
        permits BypassingOptions, ChangingOptions, FindOneAndOptions, DeleteOptions {

    /** For the server's log and profiler. */
    S comment(@Nullable BsonValue value);

    /**
     * The write is applied once for this token and user, no matter how often it is sent, by which client, or after
     * which crash; the server sends the same reply each time. The token has 1 to 512 bytes. It is sent as the comment
     * and replaces it. Only a call that is one command can have a token: {@code insertMany} and {@code bulkWrite} are
     * refused if the driver has to split them.
     */
    default S once(String token) {
        return comment(new BsonDocument("once", new BsonString(token)));
    }

    /**
     * The same, and the server keeps the reply for this time, in whole seconds, instead of its {@code onceRetention}.
     */
    default S once(String token, Duration keep) {
        return comment(
                new BsonDocument("once", new BsonString(token)).append("keepSeconds", new BsonInt64(keep.toSeconds())));
    }
}
