package dev.semel.driver.connection;

import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.setting.ServerAddress;
import java.util.function.Supplier;
import org.bson.BSONException;
import org.jspecify.annotations.Nullable;

/** Replies that are BSON but not what the protocol says: an application gets a {@link MongoClientException} for them too. */
public final class MalformedReply {
    private MalformedReply() {}

    public static MongoClientException exception(ServerAddress from, String what) {
        return exception(from, what, null);
    }

    public static void check(ServerAddress from, Runnable how) {
        read(from, () -> {
            how.run();
            return true;
        });
    }

    /** What is read of a reply, where no codec of the application takes part. */
    public static <R> R read(ServerAddress from, Supplier<R> how) {
        try {
            return how.get();
        } catch (BSONException | IndexOutOfBoundsException e) {
            throw exception(from, String.valueOf(e.getMessage()), e);
        }
    }

    private static MongoClientException exception(ServerAddress from, String what, @Nullable Throwable cause) {
        return new MongoClientException("The reply of " + from + " is malformed: " + what, cause);
    }
}
