package dev.semel.server.cursor;

import dev.semel.wire.Namespace;

/**
 * How a result is returned.
 *
 * @param namespace the client's {@code getMore}s have to name it
 * @param isSingleBatch what does not fit the first batch is not wanted
 * @param atClusterTime returned to the client, because it asked for a snapshot; 0 otherwise
 */
public record Opening(Namespace namespace, Batch first, boolean isSingleBatch, boolean timesOut, long atClusterTime) {
    public static Opening of(Namespace namespace, Batch first) {
        return new Opening(namespace, first, false, true, 0);
    }

    public Opening at(long clusterTime) {
        return new Opening(namespace, first, isSingleBatch, timesOut, clusterTime);
    }
}
