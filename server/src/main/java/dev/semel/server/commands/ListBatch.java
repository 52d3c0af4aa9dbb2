package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.cursor.Batch;
import dev.semel.wire.bson.RawDocument;

/** What commands that list things as a cursor have in common. */
final class ListBatch {
    private ListBatch() {}

    /** {@code cursor: {batchSize: 10}}. */
    static Batch batch(Arguments in) {
        RawDocument cursor = in.optionalDocument("cursor");
        if (cursor == null) {
            return Batch.WHATEVER_FITS;
        }
        Arguments inner = in.inner("cursor", cursor);
        Batch batch = inner.has("batchSize") ? new Batch(inner.nonNegative("batchSize", 0)) : Batch.WHATEVER_FITS;
        inner.refuseUnknown();
        return batch;
    }
}
