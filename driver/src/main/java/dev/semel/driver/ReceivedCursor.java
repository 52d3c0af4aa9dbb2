package dev.semel.driver;

import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A cursor over results that were received as a whole. */
record ReceivedCursor<T>(Iterator<T> values, ServerAddress address) implements MongoCursor<T> {
    @Override
    public boolean hasNext() {
        return values.hasNext();
    }

    @Override
    public T next() {
        return values.next();
    }

    @Override
    public @Nullable T tryNext() {
        return values.hasNext() ? values.next() : null;
    }

    @Override
    public int available() {
        return values.hasNext() ? 1 : 0;
    }

    @Override
    public long cursorId() {
        return 0;
    }

    @Override
    public ServerAddress getServerAddress() {
        return address;
    }

    @Override
    public void close() {
        // Everything has come.
    }

    @Override
    public void close(Duration timeout) {
        // Nor is there anything to wait for.
    }
}
