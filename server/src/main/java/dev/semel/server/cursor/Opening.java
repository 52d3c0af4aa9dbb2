package dev.semel.server.cursor;

import dev.semel.wire.Namespace;

/**
 * How a result is to be handed over.
 *
 * @param namespace by which the client has to ask for more
 * @param isSingleBatch what does not fit the first batch is not wanted
 */
public record Opening(Namespace namespace, Batch first, boolean isSingleBatch, boolean timesOut) {
    public static Opening of(Namespace namespace, Batch first) {
        return new Opening(namespace, first, false, true);
    }
}
