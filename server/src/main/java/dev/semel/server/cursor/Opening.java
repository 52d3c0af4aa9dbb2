package dev.semel.server.cursor;

import dev.semel.wire.Namespace;

/**
 * How a result is to be handed over.
 *
 * @param namespace by which the client has to ask for more
 * @param isSingleBatch what does not fit the first batch is not wanted
 * @param atClusterTime named to the client, because it asked for a snapshot; 0 otherwise
 */
public record Opening(Namespace namespace, Batch first, boolean isSingleBatch, boolean timesOut, long atClusterTime) {
    public static Opening of(Namespace namespace, Batch first) {
        return new Opening(namespace, first, false, true, 0);
    }

    public Opening at(long clusterTime) {
        return new Opening(namespace, first, isSingleBatch, timesOut, clusterTime);
    }
}
