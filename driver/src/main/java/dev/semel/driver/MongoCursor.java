package dev.semel.driver;

import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Results, fetched from the server in batches. Closing the cursor releases its resources on the server. */
public interface MongoCursor<T> extends Iterator<T>, AutoCloseable {
    /** The next document, or null if there is none now; sends at most one {@code getMore}. */
    @Nullable
    T tryNext();

    /** The number of documents left in the current batch. */
    int available();

    /** The server's cursor id; 0 if the cursor is exhausted. */
    long cursorId();

    ServerAddress getServerAddress();

    @Override
    void close();

    /** Closes the cursor with this timeout instead of the operation's; 0: no limit. */
    void close(Duration timeout);
}
