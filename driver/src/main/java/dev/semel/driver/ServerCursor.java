package dev.semel.driver;

import dev.semel.driver.operation.BatchCursor;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A cursor on a server. */
record ServerCursor<T>(BatchCursor<T> batches) implements MongoCursor<T> {
    @Override
    public boolean hasNext() {
        return batches.hasNext();
    }

    @Override
    public T next() {
        return batches.next();
    }

    @Override
    public @Nullable T tryNext() {
        return batches.tryNext();
    }

    @Override
    public int available() {
        return batches.available();
    }

    @Override
    public long cursorId() {
        return batches.page().cursorId();
    }

    @Override
    public ServerAddress getServerAddress() {
        return batches.page().server().address();
    }

    @Override
    public void close() {
        batches.close();
    }

    @Override
    public void close(Duration timeout) {
        batches.close(timeout);
    }
}
