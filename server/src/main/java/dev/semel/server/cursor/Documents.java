package dev.semel.server.cursor;

import dev.semel.server.command.Call;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/**
 * A result, one document after another, which can pause. Between {@link #pause} and {@link #resume} it holds what it
 * needs to go on at the same place in the same snapshot, and nothing that is dear to keep open.
 */
public interface Documents extends AutoCloseable {

    /** Before the first {@link #next} of each batch: the call that this batch is for, whose deadline and kill it obeys. */
    void resume(Call call);

    /** The next document, or null after the last. */
    @Nullable
    RawDocument next();

    /** Whether it is known, without looking for another document, that there is none: a limit has been reached. */
    boolean atEnd();

    /** After the last {@link #next} of a batch that is not the last one. */
    void pause();

    /** Gives everything back, the snapshot too; called once, at any time but within {@link #next}. */
    @Override
    void close();
}
