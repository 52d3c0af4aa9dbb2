package dev.semel.driver;

import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Maps the documents of another iterable. */
record MappedIterable<T, U>(MongoIterable<T> source, Function<T, U> mapper) implements MongoIterable<U> {
    @Override
    public MongoCursor<U> cursor() {
        MongoCursor<T> cursor = source.cursor();
        return new MongoCursor<>() {
            @Override
            public boolean hasNext() {
                return cursor.hasNext();
            }

            @Override
            public U next() {
                return mapper.apply(cursor.next());
            }

            @Override
            public @Nullable U tryNext() {
                T next = cursor.tryNext();
                return next == null ? null : mapper.apply(next);
            }

            @Override
            public int available() {
                return cursor.available();
            }

            @Override
            public long cursorId() {
                return cursor.cursorId();
            }

            @Override
            public ServerAddress getServerAddress() {
                return cursor.getServerAddress();
            }

            @Override
            public void close() {
                cursor.close();
            }

            @Override
            public void close(Duration timeout) {
                cursor.close(timeout);
            }
        };
    }

    @Override
    public MongoIterable<U> batchSize(int value) {
        source.batchSize(value);
        return this;
    }
}
