package dev.semel.driver;

import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An operation that runs each time it is iterated. */
public interface MongoIterable<T> extends Iterable<T> {
    /** To be closed by the caller. */
    MongoCursor<T> cursor();

    MongoIterable<T> batchSize(int value);

    @Override
    default MongoCursor<T> iterator() {
        return cursor();
    }

    /** The first document, or null if there is none. */
    default @Nullable T first() {
        try (var cursor = cursor()) {
            return cursor.hasNext() ? cursor.next() : null;
        }
    }

    @Override
    default void forEach(Consumer<? super T> action) {
        try (var cursor = cursor()) {
            while (cursor.hasNext()) {
                action.accept(cursor.next());
            }
        }
    }

    default <A extends Collection<? super T>> A into(A target) {
        forEach(target::add);
        return target;
    }

    default <U> MongoIterable<U> map(Function<T, U> mapper) {
        return new MappedIterable<>(this, mapper);
    }
}
