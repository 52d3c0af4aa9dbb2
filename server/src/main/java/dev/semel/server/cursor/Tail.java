package dev.semel.server.cursor;

import dev.semel.wire.CommandException;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A result that goes on as long as the database does: when there is no next document now, there may be one later. It keeps
 * a position and no snapshot, so it may become as old as it likes, and lives on when a collection is dropped.
 */
public interface Tail extends Documents {
    /** After {@link #next} has returned null: waits until there may be another document, for a limited time. */
    boolean await(Duration atMost);

    /** Whether a batch waits for its first document. */
    boolean waits();

    /** After {@link #next} has returned null: there will never be another document. */
    default boolean isOver() {
        return false;
    }

    @Override
    default boolean atEnd() {
        return isOver();
    }

    /** From where to go on: behind the document, the last of a batch, or behind all there is. Null if it cannot be said. */
    default @Nullable RawDocument resumeToken(@Nullable RawDocument last) {
        return null;
    }

    /** The error that the client gets. */
    default CommandException told(CommandException failure) {
        return failure;
    }
}
