package dev.semel.driver;

import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Results, fetched in batches as they are asked for. Closing it frees what it holds on the server. */
public interface MongoCursor<T> extends Iterator<T>, AutoCloseable {
    /** The next document if there is one without waiting for more to come; asks the server once at most. */
    @Nullable
    T tryNext();

    /** How many documents can be had without asking the server. */
    int available();

    /** The server's id of the cursor, 0 when it has no more. */
    long cursorId();

    ServerAddress getServerAddress();

    @Override
    void close();

    /** Closes it, and lets the server take at most this long instead of what else holds; 0 is no limit. */
    void close(Duration timeout);
}
