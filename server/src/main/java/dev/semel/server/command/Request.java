package dev.semel.server.command;

import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/**
 * A command for the dispatcher, from a socket or from inside the process.
 *
 * @param database of a legacy query, which names it outside the body; null where {@code $db} says so
 * @param mayStream whether the client takes several replies for one request
 */
public record Request(
        RawDocument body,
        Arguments.Sequences sequences,
        @Nullable String database,
        boolean mayStream) {

    public static Request of(RawDocument body) {
        return new Request(body, Arguments.Sequences.NONE, null, false);
    }
}
